import java.io.*;
import java.util.regex.*;
import java.util.stream.*;

class Bot {
    public static void main(String[] arguments) throws IOException {
        System.out.println("{\"type\":\"ready\",\"inflight\":8}");
        System.out.flush();
        Pattern turn = Pattern.compile("\"id\":(\\d+),.*\"legal\":\\{\"([A-Z_]+)\"");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            Matcher asked = turn.matcher(line);
            if (!asked.find()) continue;
            IntStream.range(0, 100).parallel().sum();
            System.out.println("{\"id\":" + asked.group(1) + ",\"category\":\"" + asked.group(2) + "\"}");
            System.out.flush();
        }
    }
}
