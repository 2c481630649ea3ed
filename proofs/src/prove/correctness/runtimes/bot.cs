using System;
using System.Threading;

static class Bot {
    static string After(string line, string key, char end) {
        int at = line.IndexOf(key, StringComparison.Ordinal);
        if (at < 0) return null;
        at += key.Length;
        return line.Substring(at, line.IndexOf(end, at) - at);
    }

    static void Main() {
        Console.WriteLine("{\"type\":\"ready\",\"inflight\":8}");
        Console.Out.Flush();
        ThreadPool.QueueUserWorkItem(_ => Thread.Sleep(1));
        for (string line; (line = Console.ReadLine()) != null;) {
            string id = After(line, "\"id\":", ','), category = After(line, "\"legal\":{\"", '"');
            if (id == null || category == null) continue;
            GC.Collect();
            Console.WriteLine("{\"id\":" + id + ",\"category\":\"" + category + "\"}");
            Console.Out.Flush();
        }
    }
}
