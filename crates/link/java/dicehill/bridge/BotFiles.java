package dicehill.bridge;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/**
 * The author's compiled classes, read once from folders and jars, so that every game can load them again
 * without opening a file. Of two classes with the same name the first one counts.
 */
final class BotFiles {
    private static final String ENDING = ".class";

    private final Map<String, byte[]> bytes = new HashMap<>();
    private final Map<String, ClassFile> classes = new TreeMap<>();
    private final File[] entries;
    private URLClassLoader resources;

    /** Reads the folders and jars of a class path. */
    BotFiles(String path) throws IOException {
        String[] names = path.split(File.pathSeparator);
        entries = new File[names.length];
        for (int index = 0; index < names.length; index++) {
            File entry = new File(names[index]);
            entries[index] = entry;
            if (entry.isDirectory()) {
                readFolder(entry);
            } else {
                readJar(entry);
            }
        }
    }

    /** All classes, by name. */
    Map<String, ClassFile> classes() {
        return classes;
    }

    /** The bytes of a class, or null. */
    byte[] bytes(String className) {
        return bytes.get(className);
    }

    /**
     * The loader for resources. It is never asked for a class, and made only if a player looks for resources: it loads
     * the network library, which asks for sockets.
     */
    synchronized URLClassLoader resources() {
        if (resources == null) {
            URL[] urls = new URL[entries.length];
            for (int index = 0; index < entries.length; index++) {
                urls[index] = url(entries[index]);
            }
            resources = new URLClassLoader(urls, null);
        }
        return resources;
    }

    private static URL url(File entry) {
        try {
            return entry.toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readFolder(File folder) throws IOException {
        File[] files = folder.listFiles();
        if (files == null) {
            throw new IOException("cannot read the folder " + folder);
        }
        for (File file : files) {
            if (file.isDirectory()) {
                readFolder(file);
            } else if (file.getName().endsWith(ENDING)) {
                // The class Files would load the network library.
                try (InputStream in = new FileInputStream(file)) {
                    add(file.getPath(), in.readAllBytes());
                }
            }
        }
    }

    private void readJar(File file) throws IOException {
        try (JarFile jar = new JarFile(file, true, ZipFile.OPEN_READ, Runtime.version())) {
            Enumeration<JarEntry> entries = jar.entries();
            while (entries.hasMoreElements()) {
                String name = entries.nextElement().getName();
                if (name.endsWith(ENDING) && !name.startsWith("META-INF/")) {
                    try (InputStream in = jar.getInputStream(jar.getJarEntry(name))) {
                        add(file + "!" + name, in.readAllBytes());
                    }
                }
            }
        } catch (IOException | SecurityException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private void add(String where, byte[] read) throws IOException {
        ClassFile described;
        try {
            described = new ClassFile(read);
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot read " + where + ": " + e.getMessage(), e);
        }
        if (bytes.putIfAbsent(described.name, read) == null) {
            classes.put(described.name, described);
        }
    }
}
