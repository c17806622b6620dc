import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Scanner;

/** Judges a text a line, in base64 and followed by the time and the reported time, and prints what became of it. */
final class Judge {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in, "UTF-8");
        while (input.hasNextLine()) {
            String[] parts = input.nextLine().split(" ", -1);
            String text = new String(Base64.getDecoder().decode(parts[0]), StandardCharsets.UTF_8);
            Double reported = parts[2].isEmpty() ? null : Double.valueOf(parts[2]);
            InstallReferrer read = InstallReferrer.read(text, Double.parseDouble(parts[1]), reported);
            StringBuilder line = new StringBuilder(read.verdict.name());
            if (read.verdict == InstallReferrer.Verdict.FOUND) {
                line.append(' ').append(encoded(read.referrer)).append(' ').append(Double.toString(read.timestamp));
                for (Map.Entry<String, String> entry : read.parameters.entrySet()) {
                    line.append(' ').append(encoded(entry.getKey())).append(':').append(encoded(entry.getValue()));
                }
            }
            System.out.println(line);
        }
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
