package dicehill.bridge;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;

/**
 * Loads the author's classes. The published interfaces come from the bridge, even if the author's files contain
 * them too; the other classes of the bridge are hidden.
 */
final class BotLoader extends ClassLoader {
    private final BotFiles files;

    BotLoader(BotFiles files) {
        super(BotLoader.class.getClassLoader());
        this.files = files;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("dicehill.bridge.") || name.equals("DicehillLiarsDice")) {
            throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = files.bytes(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    @Override
    protected URL findResource(String name) {
        return files.resources().findResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return files.resources().findResources(name);
    }
}
