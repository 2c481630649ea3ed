package dicehill.bridge;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The random generators that all games in a JVM share. From the numbers of such a generator its state follows, so that one
 * game could leave another a message there. So each of them that the player's classes use gets a fresh state before every
 * request.
 *
 * <p>Their fields are private. The arena opens their packages to the bridge, with {@code --add-opens}, for players that use them.
 */
final class SharedRandomness {
    /** How a generator gets a fresh state. */
    private interface Renewal {
        void renew(FreshNumbers fresh) throws ReflectiveOperationException;
    }

    private final List<Renewal> renewals = new ArrayList<>();
    private final FreshNumbers fresh = new FreshNumbers();

    private SharedRandomness() {}

    /** Whether a reference to a member of the platform uses a shared generator, or the state from which new ones are seeded. */
    static boolean isUsedBy(String owner, String name, String type) {
        switch (owner + "." + name) {
            case "java.lang.Math.random":
            case "java.lang.StrictMath.random":
            case "java.util.concurrent.ThreadLocalRandom.current":
                return true;
            case "java.util.Collections.shuffle":
                return type.equals("(Ljava/util/List;)V");
            case "java.util.Random.<init>":
            case "java.util.SplittableRandom.<init>":
                return type.equals("()V");
            default:
                return false;
        }
    }

    /**
     * The generators behind these uses.
     *
     * @throws ReflectiveOperationException if this JVM does not have one of them where it is looked for
     * @throws RuntimeException if their packages are not open
     */
    static SharedRandomness of(List<Found> uses) throws ReflectiveOperationException {
        SharedRandomness found = new SharedRandomness();
        Set<String> members = new HashSet<>();
        for (Found use : uses) {
            members.add(use.member);
        }
        for (String member : members) {
            found.add(member);
        }
        return found;
    }

    private void add(String member) throws ReflectiveOperationException {
        switch (member) {
            case "java.lang.Math.random":
                addGeneratorOf("java.lang.Math");
                break;
            case "java.lang.StrictMath.random":
                addGeneratorOf("java.lang.StrictMath");
                break;
            case "java.util.concurrent.ThreadLocalRandom.current":
                addGeneratorOfThread();
                break;
            case "java.util.Collections.shuffle":
                Field shuffling = open(java.util.Collections.class, "r");
                addSeeds(Random.class, "seedUniquifier");
                // The next call makes a new one.
                renewals.add(fresh -> shuffling.set(null, null));
                break;
            case "java.util.Random.<init>":
                addSeeds(Random.class, "seedUniquifier");
                break;
            case "java.util.SplittableRandom.<init>":
                addSeeds(java.util.SplittableRandom.class, "defaultGen");
                break;
            default:
                throw new NoSuchFieldException(member);
        }
    }

    private void addGeneratorOf(String className) throws ReflectiveOperationException {
        Class<?> holder = Class.forName(className + "$RandomNumberGeneratorHolder");
        Random random = (Random) open(holder, "randomNumberGenerator").get(null);
        renewals.add(fresh -> random.setSeed(fresh.next()));
    }

    private void addSeeds(Class<?> owner, String field) throws ReflectiveOperationException {
        AtomicLong seeds = (AtomicLong) open(owner, field).get(null);
        renewals.add(fresh -> seeds.set(fresh.next()));
    }

    /** The bot's code runs in one thread, as classes that start others have a process for each game. */
    private void addGeneratorOfThread() throws ReflectiveOperationException {
        java.util.concurrent.ThreadLocalRandom.current();
        Thread thread = Thread.currentThread();
        Field seed = open(Thread.class, "threadLocalRandomSeed");
        renewals.add(fresh -> seed.setLong(thread, fresh.next()));
        if (Runtime.version().feature() < 17) {
            ThreadLocal<?> kept =
                    (ThreadLocal<?>) open(java.util.concurrent.ThreadLocalRandom.class, "nextLocalGaussian").get(null);
            renewals.add(fresh -> kept.remove());
        }
    }

    private static Field open(Class<?> owner, String name) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Gives all of them a fresh state. */
    void renew() {
        try {
            for (Renewal renewal : renewals) {
                renewal.renew(fresh);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a generator cannot be renewed", e);
        }
    }

    /** Numbers from which no other number follows. */
    private static final class FreshNumbers {
        private static final String SOURCE = "/dev/urandom";

        private final ByteBuffer buffer = ByteBuffer.allocate(4096).limit(0);
        private InputStream source;
        private SecureRandom random;

        long next() {
            if (buffer.remaining() < Long.BYTES) {
                fill(buffer.array());
                buffer.clear();
            }
            return buffer.getLong();
        }

        private void fill(byte[] bytes) {
            try {
                if (source == null && random == null) {
                    source = new FileInputStream(SOURCE);
                }
                if (source != null && source.readNBytes(bytes, 0, bytes.length) == bytes.length) {
                    return;
                }
            } catch (IOException e) {
                // Not every system has it.
                source = null;
            }
            random = random == null ? new SecureRandom() : random;
            random.nextBytes(bytes);
        }
    }
}
