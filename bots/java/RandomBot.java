import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * A bot that plays any legal move. Java 11 or later, no library, not even one for JSON: the referee writes compact
 * messages with their fields in the order of PROTOCOL.md, so that a line can be cut at the names of fields.
 *
 * <pre>
 * Build:        javac -d classes bots/java/RandomBot.java
 * Run a match:  referee match bao-kigogo "java -Xmx256m -XX:+UseSerialGC -cp $PWD/classes RandomBot" random-bot
 * By hand:      java bots/java/RandomBot.java     and type messages of PROTOCOL.md, one a line
 * </pre>
 *
 * Java takes a quarter of the machine's memory for its heap unless -Xmx says otherwise, and a bot has 1 GiB by default.
 */
public final class RandomBot {
    /** Flushes after every println; without that, the answer would stay in the buffer while the clock runs. */
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private static final Random RANDOM = new Random();

    private RandomBot() {}

    /** Picks one of the legal moves. This is where your ideas go. */
    private static String choose(String[] legal) {
        return legal[RANDOM.nextInt(legal.length)];
    }

    /** Returns the text of a field, or an empty text if it is not there. */
    private static String text(String line, String name) {
        String begin = "\"" + name + "\":\"";
        int at = line.indexOf(begin);
        if (at < 0) return "";
        int from = at + begin.length();
        return line.substring(from, line.indexOf('"', from));
    }

    /** Returns the digits of the field `id`. */
    private static String id(String line) {
        int from = line.indexOf("\"id\":") + 5;
        int to = from;
        while (Character.isDigit(line.charAt(to))) to++;
        return line.substring(from, to);
    }

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (text(line, "type")) {
                case "hello":
                    OUT.println("{\"type\":\"hello\",\"protocol\":1,\"name\":\"RandomBot.java\",\"version\":\"1.0\","
                            + "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}");
                    break;
                case "new_game":
                    OUT.println("{\"type\":\"ready\",\"id\":" + id(line) + "}");
                    break;
                case "go":
                    String move = choose(text(line, "legal").split(" "));
                    OUT.println("{\"type\":\"move\",\"id\":" + id(line) + ",\"move\":\"" + move + "\"}");
                    break;
                case "ping":
                    OUT.println("{\"type\":\"pong\",\"id\":" + id(line) + "}");
                    break;
                case "fault":
                    System.err.println(line);
                    break;
                case "bye":
                    return;
                default: // set_option, game_over, a type of a later version: none needs an answer
            }
        }
    }
}
