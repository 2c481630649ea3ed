import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/**
 * The attacks of a player in Java. Their reports and arguments are those of {@code attacker.c}. A test copies
 * this class into the player's package.
 */
class Attacks {
    /** The attacks and their arguments, separated by spaces; a test replaces this word. */
    private static final String[] WORDS = "HOW".split(" ");

    private static boolean attacked;

    private static final int MOST_THREADS = 200;
    private static final int TRIED_THREADS = 256;
    private static final int MOST_DESCRIPTORS = 4096;
    private static final int TRIED_DESCRIPTORS = 20_000;
    private static final int TRIED_IN_MEMORY = 1280;
    private static final int MIB = 1 << 20;

    private final Map<String, String> values = new HashMap<>();
    private final Map<String, Attack> attacks = new LinkedHashMap<>();
    private final Object[] parts;
    private String name;

    /** A single attack. */
    private interface Attack {
        void carryOut() throws Exception;
    }

    /** The parts are objects that the bridge has passed to the player. */
    private Attacks(Object... parts) {
        this.parts = parts;
        for (String word : WORDS) {
            if (word.contains("=")) {
                String[] pair = word.split("=", 2);
                values.put(pair[0], pair[1]);
            }
        }
        attacks.put("read-passwd", () -> {
            readPart("/etc/passwd");
            readPart("/etc/shadow");
        });
        attacks.put("read-file", () -> each("read", this::read));
        attacks.put("write-file", () -> each("write", this::write));
        attacks.put("drop-file", () -> each("drop", this::drop));
        attacks.put("symlink", () -> each("write", this::link));
        attacks.put("read-proc", this::readProc);
        attacks.put("own-proc", this::ownProc);
        attacks.put("list-processes", this::listProcesses);
        attacks.put("environment", this::environment);
        attacks.put("read-load", this::readLoad);
        attacks.put("tcp", this::tcp);
        attacks.put("listen", this::listen);
        attacks.put("udp", this::udp);
        attacks.put("unix", this::unix);
        attacks.put("exec", this::exec);
        attacks.put("attach", this::attach);
        attacks.put("native", this::loadLibrary);
        attacks.put("bridge", this::bridge);
        attacks.put("thread-bomb", this::threadBomb);
        attacks.put("heap-hog", this::heapHog);
        attacks.put("many-descriptors", this::manyDescriptors);
        attacks.put("spin", this::spin);
    }

    /** Carries out all attacks, once per process. */
    static void carryOut(Object... parts) {
        if (!attacked) {
            attacked = true;
            new Attacks(parts).attackAll();
        }
    }

    private void attackAll() {
        for (String wanted : WORDS[0].split(",")) {
            Attack attack = attacks.get(wanted);
            name = wanted;
            try {
                if (attack != null) {
                    attack.carryOut();
                }
            } catch (Throwable thrown) {
                contained(thrown);
            }
        }
    }

    private void say(String verdict, Object what) {
        String text = String.valueOf(what).replaceAll("[^ -~]", " ");
        System.err.println("attack " + name + ": " + verdict + ": " + text);
    }

    private void contained(Object what) {
        say("contained", what);
    }

    private void breach(Object what) {
        say("BREACH", what);
    }

    /** Reports the result of an action that must fail. */
    private void attempt(String what, Callable<?> action) {
        try {
            breach(what + " gave " + action.call());
        } catch (Throwable thrown) {
            contained(what + ": " + thrown);
        }
    }

    private void judge(String what, int count, int most) {
        say(count > most ? "BREACH" : "contained", count + " " + what);
    }

    private void each(String key, java.util.function.Consumer<String> action) {
        for (String path : values.get(key).split(":")) {
            action.accept(path);
        }
    }

    private static String peek(String path, int size) throws IOException {
        try (InputStream in = Files.newInputStream(Paths.get(path))) {
            return new String(in.readNBytes(size));
        }
    }

    private void read(String path) {
        attempt(path, () -> peek(path, 40));
    }

    /** A nearly empty file was made for the bot. */
    private void readPart(String path) {
        try {
            int got = peek(path, 400).length();
            say(got < 200 ? "contained" : "BREACH", path + ": " + got + " bytes");
        } catch (IOException refused) {
            contained(refused);
        }
    }

    private void write(String path) {
        StandardOpenOption how = StandardOpenOption.APPEND;
        attempt(path, () -> Files.write(Paths.get(path), "attacked\n".getBytes(), how));
    }

    /** Only a check from outside can decide whether the file exists there. */
    private void drop(String path) {
        try {
            contained(Files.write(Paths.get(path), new byte[0]) + " was made; is it there?");
        } catch (IOException refused) {
            contained(refused);
        }
    }

    private void link(String path) {
        Path link = Paths.get("link");
        try {
            Files.createSymbolicLink(link, Paths.get(path));
            read("link");
            write("link");
            Files.delete(link);
        } catch (IOException refused) {
            contained(refused);
        }
    }

    private void readProc() {
        String folder = "/proc/" + values.get("pid") + "/";
        for (String file : new String[] {"environ", "maps", "cmdline"}) {
            attempt(file, () -> peek(folder + file, 40).length());
        }
        attempt("mem", () -> {
            new RandomAccessFile(folder + "mem", "r").close();
            return "a file";
        });
    }

    private void listProcesses() {
        ProcessHandle own = ProcessHandle.current();
        long parent = own.parent().map(ProcessHandle::pid).orElse(1L);
        long others = ProcessHandle.allProcesses()
                .filter(one -> one.pid() != own.pid() && one.pid() != parent && one.pid() != 1)
                .count();
        judge("processes are listed", (int) others, 0);
        boolean seen = ProcessHandle.of(Long.parseLong(values.get("pid"))).isPresent();
        say(seen ? "BREACH" : "contained", "the arena's side: " + seen);
    }

    private void environment() {
        boolean known = System.getenv(values.get("secret")) != null;
        say(known ? "BREACH" : "contained", values.get("secret") + ": " + known);
    }

    private void readLoad() {
        for (String file : "loadavg stat uptime meminfo pressure/cpu".split(" ")) {
            read("/proc/" + file);
        }
        double load = java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                .getSystemLoadAverage();
        say(load < 0 ? "contained" : "BREACH", "a load of " + load);
    }

    private void ownProc() {
        for (String file : "pagemap smaps smaps_rollup numa_maps net/softnet_stat".split(" ")) {
            read("/proc/self/" + file);
        }
    }

    private int port(String key) {
        return Integer.parseInt(values.get(key));
    }

    private void tcp() {
        attempt("connect", () -> new Socket(InetAddress.getLoopbackAddress(), port("tcp")));
    }

    /** Listening in a network namespace of its own is harmless. */
    private void listen() throws IOException {
        String network = Files.readSymbolicLink(Paths.get("/proc/self/ns/net")).toString();
        boolean shared = values.get("ns").contains(network);
        try (ServerSocket socket = new ServerSocket(0)) {
            say(shared ? "BREACH" : "contained", socket);
        }
    }

    private void udp() {
        attempt("send", () -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                InetAddress to = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
                socket.send(new DatagramPacket(new byte[6], 6, to, port("udp")));
                return "no error";
            }
        });
    }

    private void unix() {
        attempt("connect",
                () -> SocketChannel.open(UnixDomainSocketAddress.of(values.get("unix"))));
    }

    private void exec() throws Exception {
        for (String path : values.get("read").split(":")) {
            Process cat = new ProcessBuilder("cat", path).start();
            int got = cat.getInputStream().readNBytes(40).length;
            cat.waitFor();
            say(got > 0 ? "BREACH" : "contained", "cat " + path + ": " + got + " bytes");
        }
    }

    /** Attaching to another JVM could load an agent into it. */
    private void attach() throws Exception {
        // A process that is not a JVM never answers.
        System.setProperty("sun.tools.attach.attachTimeout", "500");
        Class<?> machine = Class.forName("com.sun.tools.attach.VirtualMachine");
        for (String pid : new String[] {values.get("pid"), "" + ProcessHandle.current().pid()}) {
            attempt(pid, () -> machine.getMethod("attach", String.class).invoke(null, pid));
        }
        judge("other JVMs", ((List<?>) machine.getMethod("list").invoke(null)).size(), 1);
    }

    /** The library attacks when it is loaded, and writes its own report. */
    private void loadLibrary() throws Exception {
        Path copy = Files.copy(Paths.get("library"), Paths.get("library.so").toAbsolutePath());
        System.load(copy.toString());
        contained("the library was loaded: own process only");
    }

    /** Changes the bridge's fields, which must not affect the arena's dice and scores. */
    private void bridge() throws Exception {
        Field theUnsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        theUnsafe.setAccessible(true);
        Object unsafe = theUnsafe.get(null);
        int opened = 0;
        for (Object part : parts) {
            for (Class<?> kind = part.getClass(); kind != null; kind = kind.getSuperclass()) {
                for (Field field : kind.getDeclaredFields()) {
                    opened += open(field, part) ? 1 : 0;
                }
            }
        }
        int[] scores = {1000};
        Object base = unsafe.getClass().getMethod("arrayBaseOffset", Class.class)
                .invoke(unsafe, int[].class);
        unsafe.getClass().getMethod("putInt", Object.class, long.class, int.class)
                .invoke(unsafe, scores, ((Integer) base).longValue(), 375);
        contained(opened + " fields opened, " + scores[0] + " written: own process only");
    }

    private static boolean open(Field field, Object part) {
        try {
            field.setAccessible(true);
            Object value = field.get(part);
            if (!Modifier.isStatic(field.getModifiers())) {
                field.set(part, value);
            }
            return true;
        } catch (Exception refused) {
            return false;
        }
    }

    private void threadBomb() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        int count = 0;
        try {
            for (; count < TRIED_THREADS; count++) {
                Thread thread = new Thread(null, () -> {
                    try {
                        done.await();
                    } catch (InterruptedException ignored) {
                        // The thread ends anyway.
                    }
                }, "bomb", 1 << 16);
                thread.setDaemon(true);
                thread.start();
            }
        } catch (OutOfMemoryError refused) {
            contained(refused);
        }
        judge("threads", count, MOST_THREADS);
        done.countDown();
    }

    private void heapHog() {
        List<byte[]> blocks = new ArrayList<>();
        try {
            while (blocks.size() < TRIED_IN_MEMORY) {
                blocks.add(new byte[MIB]);
            }
        } catch (OutOfMemoryError refused) {
            // The blocks are released below.
        }
        int got = blocks.size();
        blocks.clear();
        judge("MiB of heap", got, TRIED_IN_MEMORY - 1);
    }

    private void manyDescriptors() throws IOException {
        List<RandomAccessFile> files = new ArrayList<>();
        try {
            while (files.size() < TRIED_DESCRIPTORS) {
                files.add(new RandomAccessFile("/dev/null", "r"));
            }
        } catch (IOException refused) {
            // The number of files is reported below.
        }
        judge("descriptors", files.size(), MOST_DESCRIPTORS);
        for (RandomAccessFile file : files) {
            file.close();
        }
    }

    private void spin() {
        for (int at = 0; at < 2; at++) {
            Thread thread = new Thread(() -> { while (true) Thread.onSpinWait(); });
            thread.setDaemon(true);
            thread.start();
        }
        contained("two threads spin; do others suffer?");
    }
}
