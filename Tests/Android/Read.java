import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.Scanner;

/** Reads a query a line, in base64, as the page of the vectors does, and prints the referrer and the parameters; nothing if there is none. */
final class Read {
    public static void main(String[] arguments) {
        Map<String, String> parameters = Collections.singletonMap(arguments[1], arguments[2]);
        LandingAddress page = new LandingAddress("ref", arguments[0], parameters, Arrays.asList(arguments).subList(3, arguments.length));
        Scanner input = new Scanner(System.in, "UTF-8");
        while (input.hasNextLine()) {
            String query = new String(Base64.getDecoder().decode(input.nextLine()), StandardCharsets.UTF_8);
            LandingAddress.Arrival arrival = page.read(query);
            StringBuilder line = new StringBuilder();
            if (arrival != null) line.append(encoded(arrival.referrer));
            if (arrival != null) for (Map.Entry<String, String> entry : arrival.parameters.entrySet()) {
                line.append(' ').append(encoded(entry.getKey())).append(':').append(encoded(entry.getValue()));
            }
            System.out.println(line);
        }
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
