import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Plays the first legal move. Holds a table of so many MiB, and makes so many MiB of garbage at every move. */
final class TableBot {
    private static byte[][] table;
    private static long sum;

    private static void fill(int mib) {
        // Small pieces: a large one takes more of the heap than it has bytes.
        for (int at = 0; at < 16 * mib; at++) {
            byte[] piece = new byte[1 << 16];
            for (int page = 0; page < piece.length; page += 4096) piece[page] = 1;
            if (table != null && at < table.length && table[at] == null) table[at] = piece;
            sum += piece[0];
        }
    }

    private static String after(String line, String word, String ends) {
        int start = line.indexOf(word) + word.length(), end = start;
        while (ends.indexOf(line.charAt(end)) < 0) end++;
        return line.substring(start, end);
    }

    public static void main(String[] arguments) throws Exception {
        int kept = Integer.parseInt(arguments[0]);
        table = new byte[16 * kept][];
        fill(kept);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null; ) {
            String kind = after(line, "\"type\":\"", "\"");
            if (kind.equals("hello")) {
                System.out.println("{\"type\":\"hello\",\"protocol\":1,\"name\":\"table\",\"games\":[\"bao-kingulu\"]}");
            } else if (kind.equals("bye")) {
                return;
            } else if (line.contains("\"id\":")) {
                String id = after(line, "\"id\":", ",}");
                if (kind.equals("new_game")) System.out.println("{\"type\":\"ready\",\"id\":" + id + "}");
                if (kind.equals("ping")) System.out.println("{\"type\":\"pong\",\"id\":" + id + "}");
                if (kind.equals("go")) {
                    fill(Integer.parseInt(arguments[1]));
                    String move = after(line, "\"legal\":\"", " \"");
                    System.out.println("{\"type\":\"move\",\"id\":" + id + ",\"move\":\"" + move + "\"}");
                }
            }
        }
    }
}
