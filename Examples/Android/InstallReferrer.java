import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads who sent the user, from the text that Google Play passes to an app after the installation.
 *
 * <p>The page of ReferralBridge puts {@code ed=…} into the address of the Play Store, and
 * {@code InstallReferrerClient.getInstallReferrer().getInstallReferrer()} returns it. Pass that text here:
 *
 * <pre>{@code
 * InstallReferrer referrer = InstallReferrer.read(text, System.currentTimeMillis(), null);
 * if (referrer.verdict == InstallReferrer.Verdict.FOUND) welcome(referrer.referrer, referrer.parameters);
 * }</pre>
 *
 * <p>The rules are those of the library for Apple's platforms, without its five minutes: Google Play keeps the text for 90
 * days. Anyone can write such an address, so the referrer and the parameters are claims. Java 8, no dependencies.
 */
public final class InstallReferrer {
    /** What became of the text. Signatures aren't checked. */
    public enum Verdict {
        /** The text names a referrer. */
        FOUND,
        /** There is no item {@code ed}: nobody sent the user, or not by a page with a referral. */
        NO_PAYLOAD,
        /** The item {@code ed} doesn't contain a referral. */
        MALFORMED_PAYLOAD,
        /** The text is longer than 65,536 bytes, or its payload than 8,192. */
        TOO_LONG,
        /** The tap is more than 30 seconds in the future. */
        FROM_THE_FUTURE,
        /** The tap isn't newer than the one that was reported before. */
        ALREADY_REPORTED
    }

    /** What became of the text. */
    public final Verdict verdict;

    /** Who sent the user; {@code null} unless the verdict is {@code FOUND}. */
    public final String referrer;

    /** When the user tapped, in Unix milliseconds; 0 unless the verdict is {@code FOUND}. */
    public final double timestamp;

    /** The link's other data for the app, by name; empty unless the verdict is {@code FOUND}. */
    public final Map<String, String> parameters;

    private static final int MAXIMUM_TEXT_LENGTH = 65_536;
    private static final int MAXIMUM_PAYLOAD_LENGTH = 8_192;
    private static final double CLOCK_TOLERANCE = 30_000;
    /** A smaller number is in seconds. */
    private static final double LEAST_MILLISECONDS = 1e11;

    private InstallReferrer(Verdict verdict) {
        this(verdict, null, 0, Collections.<String, String>emptyMap());
    }

    private InstallReferrer(Verdict verdict, String referrer, double timestamp, Map<String, String> parameters) {
        this.verdict = verdict;
        this.referrer = referrer;
        this.timestamp = timestamp;
        this.parameters = parameters;
    }

    /**
     * Judges the text of Google Play.
     *
     * @param text what {@code getInstallReferrer()} returned
     * @param now the present, in Unix milliseconds
     * @param reported the {@code timestamp} that the app has saved with its last report; {@code null} if there is none
     * @return the verdict, and the referral if there is one; never {@code null}, and no text makes it throw
     */
    public static InstallReferrer read(String text, double now, Double reported) {
        try {
            InstallReferrer found = new Payload(payload(text)).read();
            if (found.timestamp > now + CLOCK_TOLERANCE) return new InstallReferrer(Verdict.FROM_THE_FUTURE);
            // A reported time in the future came from a wrong clock.
            boolean isReported = reported != null && reported <= now + CLOCK_TOLERANCE && found.timestamp <= reported;
            return isReported ? new InstallReferrer(Verdict.ALREADY_REPORTED) : found;
        } catch (Refusal refusal) {
            return new InstallReferrer(refusal.verdict);
        }
    }

    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;
        final transient Verdict verdict;

        Refusal(Verdict verdict) {
            super(verdict.name(), null, false, false);
            this.verdict = verdict;
        }
    }

    private static Refusal malformed() {
        return new Refusal(Verdict.MALFORMED_PAYLOAD);
    }

    // The text

    /** The decoded value of the last item {@code ed}. */
    private static byte[] payload(String text) throws Refusal {
        byte[] bytes = trimmed(text.getBytes(StandardCharsets.UTF_8));
        if (bytes.length > MAXIMUM_TEXT_LENGTH) throw new Refusal(Verdict.TOO_LONG);
        byte[] value = new byte[0];
        for (int start = 0; start <= bytes.length; start++) {
            int end = start;
            while (end < bytes.length && bytes[end] != '&') end++;
            if (end - start >= 3 && bytes[start] == 'e' && bytes[start + 1] == 'd' && bytes[start + 2] == '=') {
                value = Arrays.copyOfRange(bytes, start + 3, end);
            } else if (end - start == 2 && bytes[start] == 'e' && bytes[start + 1] == 'd') {
                value = new byte[0];
            }
            start = end;
        }
        if (value.length == 0) throw new Refusal(Verdict.NO_PAYLOAD);
        byte[] decoded = base64(percentDecoded(value));
        if (decoded.length > MAXIMUM_PAYLOAD_LENGTH) throw new Refusal(Verdict.TOO_LONG);
        return decoded;
    }

    private static byte[] trimmed(byte[] bytes) {
        int start = 0;
        int end = bytes.length;
        while (start < end && isWhiteSpace(bytes[start])) start++;
        while (start < end && isWhiteSpace(bytes[end - 1])) end--;
        return Arrays.copyOfRange(bytes, start, end);
    }

    private static boolean isWhiteSpace(byte value) {
        return value == ' ' || value >= 9 && value <= 13;
    }

    private static byte[] percentDecoded(byte[] value) throws Refusal {
        byte[] output = new byte[value.length];
        int count = 0;
        for (int index = 0; index < value.length; index++) {
            if (value[index] != '%') {
                output[count++] = value[index];
                continue;
            }
            int high = index + 2 < value.length ? hexadecimal(value[index + 1]) : -1;
            int low = index + 2 < value.length ? hexadecimal(value[index + 2]) : -1;
            if (high < 0 || low < 0) throw malformed();
            output[count++] = (byte) (high << 4 | low);
            index += 2;
        }
        return Arrays.copyOf(output, count);
    }

    private static int hexadecimal(int digit) {
        if (digit >= '0' && digit <= '9') return digit - '0';
        int lower = digit | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /** Both alphabets, with correct padding or none, and no bits left over. */
    private static byte[] base64(byte[] value) throws Refusal {
        int length = value.length;
        int padding = 0;
        while (padding < 2 && length > 0 && value[length - 1] == '=') {
            length--;
            padding++;
        }
        if (padding > 0 && value.length % 4 != 0 || length % 4 == 1) throw malformed();
        byte[] output = new byte[length * 3 / 4];
        int count = 0;
        int bits = 0;
        int bitCount = 0;
        for (int index = 0; index < length; index++) {
            bits = bits << 6 | sextet(value[index]);
            bitCount += 6;
            if (bitCount >= 8) {
                bitCount -= 8;
                output[count++] = (byte) (bits >> bitCount);
                bits &= (1 << bitCount) - 1;
            }
        }
        if (bits != 0) throw malformed();
        return output;
    }

    private static int sextet(byte character) throws Refusal {
        if (character >= 'A' && character <= 'Z') return character - 'A';
        if (character >= 'a' && character <= 'z') return character - 'a' + 26;
        if (character >= '0' && character <= '9') return character - '0' + 52;
        switch (character) {
            case '+': case '-': case ' ': return 62;
            case '/': case '_': return 63;
            default: throw malformed();
        }
    }

    // The JSON

    /** An object in strict JSON, of which the members that are strings or numbers matter. */
    private static final class Payload {
        private static final int MAXIMUM_DEPTH = 64;

        private final String text;
        private int position = 0;

        Payload(byte[] bytes) throws Refusal {
            try {
                text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            } catch (CharacterCodingException error) {
                throw malformed();
            }
        }

        InstallReferrer read() throws Refusal {
            Object referrer = null;
            Object timestamp = null;
            Map<String, String> parameters = new TreeMap<>();
            skipWhiteSpace();
            expect('{');
            skipWhiteSpace();
            if (!skip('}')) {
                do {
                    skipWhiteSpace();
                    String name = string();
                    skipWhiteSpace();
                    expect(':');
                    // If a member is repeated, the last one counts, whatever its type.
                    Object value = value(1);
                    if (name.equals("referrer")) {
                        referrer = value;
                    } else if (name.equals("timestamp")) {
                        timestamp = value;
                    } else if (value instanceof String) {
                        parameters.put(name, (String) value);
                    } else {
                        parameters.remove(name);
                    }
                    skipWhiteSpace();
                } while (skip(','));
                expect('}');
            }
            skipWhiteSpace();
            if (position != text.length()) throw malformed();
            if (!(referrer instanceof String) || ((String) referrer).isEmpty()) throw malformed();
            if (!(timestamp instanceof Double)) throw malformed();
            double time = (Double) timestamp;
            if (!(time > 0 && time < 1e16)) throw malformed();
            if (time < LEAST_MILLISECONDS) time *= 1_000;
            return new InstallReferrer(Verdict.FOUND, (String) referrer, time, Collections.unmodifiableMap(parameters));
        }

        /** A string or a number; {@code null} for anything else. */
        private Object value(int depth) throws Refusal {
            skipWhiteSpace();
            if (position == text.length()) throw malformed();
            switch (text.charAt(position)) {
                case '"': return string();
                case '{': case '[': container(depth + 1); return null;
                case 't': word("true"); return null;
                case 'f': word("false"); return null;
                case 'n': word("null"); return null;
                default: return number();
            }
        }

        private void container(int depth) throws Refusal {
            if (depth > MAXIMUM_DEPTH) throw malformed();
            boolean isObject = text.charAt(position++) == '{';
            char end = isObject ? '}' : ']';
            skipWhiteSpace();
            if (skip(end)) return;
            do {
                skipWhiteSpace();
                if (isObject) {
                    string();
                    skipWhiteSpace();
                    expect(':');
                }
                value(depth);
                skipWhiteSpace();
            } while (skip(','));
            expect(end);
        }

        private String string() throws Refusal {
            expect('"');
            StringBuilder output = new StringBuilder();
            while (true) {
                char character = next();
                if (character == '"') break;
                if (character < 0x20) throw malformed();
                output.append(character == '\\' ? escaped() : character);
            }
            // Only an escape can make a surrogate without its other half.
            for (int index = 0; index < output.length(); index++) {
                char character = output.charAt(index);
                if (!Character.isSurrogate(character)) continue;
                boolean isPair = Character.isHighSurrogate(character) && index + 1 < output.length()
                    && Character.isLowSurrogate(output.charAt(index + 1));
                if (!isPair) throw malformed();
                index++;
            }
            return output.toString();
        }

        private char escaped() throws Refusal {
            char character = next();
            switch (character) {
                case '"': case '\\': case '/': return character;
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u': break;
                default: throw malformed();
            }
            int code = 0;
            for (int count = 0; count < 4; count++) {
                int digit = hexadecimal(next());
                if (digit < 0) throw malformed();
                code = code << 4 | digit;
            }
            return (char) code;
        }

        private Double number() throws Refusal {
            int start = position;
            skip('-');
            if (!skip('0')) digits();
            if (skip('.')) digits();
            if (skip('e') || skip('E')) {
                if (!skip('+')) skip('-');
                digits();
            }
            return Double.valueOf(text.substring(start, position));
        }

        private void digits() throws Refusal {
            int start = position;
            while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') position++;
            if (position == start) throw malformed();
        }

        private void word(String word) throws Refusal {
            if (!text.startsWith(word, position)) throw malformed();
            position += word.length();
        }

        private void skipWhiteSpace() {
            while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) position++;
        }

        private boolean skip(char character) {
            if (position == text.length() || text.charAt(position) != character) return false;
            position++;
            return true;
        }

        private void expect(char character) throws Refusal {
            if (!skip(character)) throw malformed();
        }

        private char next() throws Refusal {
            if (position == text.length()) throw malformed();
            return text.charAt(position++);
        }
    }
}
