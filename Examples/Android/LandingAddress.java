import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads who sent the user, from the address of a landing page that opened the app as an Android App Link.
 *
 * <pre>{@code
 * LandingAddress page = new LandingAddress("via", null, Collections.emptyMap(), Collections.singletonList("open"));
 * LandingAddress.Arrival arrival = page.read(intent.getData().getEncodedQuery());
 * if (arrival != null) welcome(arrival.referrer, arrival.parameters);
 * }</pre>
 *
 * <p>The rules are those of the page itself and of the library for Apple's platforms. The intent filter determines which
 * addresses are the page's. Signatures aren't checked: the referrer and the parameters are claims. Java 8, no dependencies.
 */
public final class LandingAddress {
    /** What an address says. */
    public static final class Arrival {
        /** Who sent the user; never empty. */
        public final String referrer;
        /** The other data for the app, by name; with {@code sig} and perhaps {@code until} if somebody signed it. */
        public final Map<String, String> parameters;

        private Arrival(String referrer, Map<String, String> parameters) {
            this.referrer = referrer;
            this.parameters = Collections.unmodifiableMap(parameters);
        }
    }

    private static final Pattern PARAMETER_NAME = Pattern.compile("[a-z][A-Za-z0-9_.]*");
    /**
     * 64 to 128 characters of base64url, not all of them hexadecimal digits. Punctuation that a program has added behind them damages the
     * signature, and doesn't make it another item.
     */
    private static final Pattern SIGNATURE =
        Pattern.compile("(?![0-9A-Fa-f]+(?![\\w-]))[\\w-]{64,128}(?![\\w-])[\\p{P}=>]*");

    private static final int MAXIMUM_PAYLOAD_LENGTH = 8_192;

    private final String referrerItem;
    private final String referrer;
    private final Map<String, String> parameters;
    private final List<String> items;

    /**
     * Describes a landing page, as its HTML does.
     *
     * @param referrerItem the name of the query item with the referrer, its {@code data-referrer-from}
     * @param referrer the page's own referrer for addresses that name none, its {@code data-referrer}; may be {@code null}
     * @param parameters the parameters that the page adds, its {@code data-referral-…}
     * @param items the names of items that the page hands on unsigned, its {@code data-referral-items}
     */
    public LandingAddress(String referrerItem, String referrer, Map<String, String> parameters, List<String> items) {
        this.referrerItem = referrerItem;
        this.referrer = referrer;
        this.parameters = parameters;
        this.items = items;
    }

    /**
     * Reads the query of one of the page's addresses.
     *
     * @param query the text after the question mark, with its escapes; may be {@code null}
     * @return who sent the user and the parameters; {@code null} if nobody did, or if it is more than a link carries. No text makes it
     *     throw
     */
    public Arrival read(String query) {
        Arrival arrival = arrival(query);
        return arrival == null || payloadLength(arrival) > MAXIMUM_PAYLOAD_LENGTH ? null : arrival;
    }

    private Arrival arrival(String query) {
        List<String[]> list = new ArrayList<>();
        for (String item : (query == null ? "" : query).split("&")) {
            if (item.isEmpty()) continue;
            int equals = item.indexOf('=');
            String name = equals < 0 ? item : item.substring(0, equals);
            list.add(new String[] {decoded(name), decoded(equals < 0 ? "" : item.substring(equals + 1))});
        }
        int index = 0;
        while (index < list.size() && !list.get(index)[0].equals(referrerItem)) index++;
        String named = index < list.size() ? list.get(index)[1] : "";
        if (!named.isEmpty()) {
            Map<String, String> signed = new TreeMap<>();
            for (String[] item : list.subList(index + 1, list.size())) {
                if (canNameParameter(item[0])) signed.put(item[0], item[1]);
                if (item[0].equals("sig") && SIGNATURE.matcher(item[1]).matches()) return new Arrival(named, signed);
            }
        }
        String sender = named.isEmpty() ? referrer : named;
        if (sender == null || sender.isEmpty()) return null;
        Map<String, String> unsigned = new TreeMap<>(parameters);
        for (String name : items) {
            if (!canNameParameter(name) || name.equals("sig") || name.equals("until") || name.equals(referrerItem)) continue;
            for (String[] item : list) {
                if (!item[0].equals(name) || item[1].isEmpty()) continue;
                unsigned.put(name, item[1]);
                break;
            }
        }
        return new Arrival(sender, unsigned);
    }

    /** The length, in bytes, of the JSON that a link from the page would carry, with a timestamp of 13 digits. */
    private static int payloadLength(Arrival arrival) {
        int length = "{'timestamp':,'referrer':}".length() + 13 + jsonLength(arrival.referrer);
        for (Map.Entry<String, String> entry : arrival.parameters.entrySet()) {
            length += ",:".length() + jsonLength(entry.getKey()) + jsonLength(entry.getValue());
        }
        return length;
    }

    private static int jsonLength(String text) {
        int length = 2;
        for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
            boolean isShort = unit == '"' || unit == '\\' || unit == '\b' || unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r';
            length += isShort ? 2 : unit >= 0 && unit < ' ' ? 6 : 1;
        }
        return length;
    }

    private static boolean canNameParameter(String name) {
        return PARAMETER_NAME.matcher(name).matches() && !name.equals("on") && !name.equals("timestamp")
            && !name.equals("referrer");
    }

    /** A plus sign is a space, a broken escape stays as it is, and bytes that aren't UTF-8 become U+FFFD. */
    private static String decoded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int count = 0;
        for (int index = 0; index < bytes.length; index++) {
            int high = bytes[index] == '%' && index + 2 < bytes.length ? Character.digit((char) bytes[index + 1], 16) : -1;
            int low = high >= 0 ? Character.digit((char) bytes[index + 2], 16) : -1;
            if (low >= 0) {
                bytes[count++] = (byte) (high << 4 | low);
                index += 2;
            } else {
                bytes[count++] = bytes[index] == '+' ? (byte) ' ' : bytes[index];
            }
        }
        // Each byte of a surrogate becomes U+FFFD, as on the page. Java would make one of all three.
        for (int index = 0; index + 1 < count; index++) {
            if (bytes[index] == (byte) 0xED && (bytes[index + 1] & 0xE0) == 0xA0) bytes[index] = (byte) 0xFF;
        }
        return new String(bytes, 0, count, StandardCharsets.UTF_8);
    }
}
