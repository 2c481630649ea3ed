import dicehill.bridge.LineInput;
import dicehill.bridge.Message;
import dicehill.bridge.Output;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What the bridge is measured against: reads lines, reads each as JSON with the bridge's own reader, and writes
 * the same answer to each, all the answers to one block with one write.
 */
public final class BareLoop {
    private static final byte[] ANSWER = "{\"id\":4501293575881907,\"keep\":[3,4]}\n".getBytes(StandardCharsets.US_ASCII);

    private BareLoop() {}

    public static void main(String[] arguments) throws IOException {
        LineInput input = new LineInput(new FileInputStream(FileDescriptor.in));
        Output output = new Output(new FileOutputStream(FileDescriptor.out));
        Message message = new Message();
        while (input.fill()) {
            while (input.nextLine()) {
                message.read(input.bytes(), input.from(), input.to());
                output.raw(ANSWER);
            }
            output.flush();
        }
    }
}
