/// Judges links as this project writes them, several times as fast as ``ReferralScanner`` and with the same verdicts.
///
/// In such a link, nothing is percent-encoded, and the parts of its payload can be copied: its texts are JSON that this command
/// would write too. It repeats only this form of the rules; the verdict on the time is the library's. All other strings are
/// passed to the scanner.
struct QuickReading {
    /// The maximum length of a payload, which is on the stack.
    private static let maximumPayload = 1_024

    /// The contents of a link, as slices of its JSON.
    struct Reading {
        let verdict: Verdict
        /// The JSON between the quotation marks.
        let referrer: Bytes
        /// The digits of whole milliseconds.
        let timestamp: Bytes
        /// The text between the braces.
        let parameters: Bytes
    }

    private let judge: Judge
    private let appID: [UInt8]
    private let characters = CharacterTable()

    init(_ judge: Judge) {
        self.judge = judge
        appID = Array("/id\(judge.scanner.appID)".utf8)
    }

    /// Calls the body with the contents of a link. Returns `false`, without a call, for a string that needs the scanner.
    func read(_ string: Bytes, _ body: (Reading) -> Void) -> Bool {
        guard let encoded = encodedData(of: string), encoded.count <= Self.maximumPayload else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maximumPayload) { buffer in
            guard let count = try? Base64.decode(encoded, into: buffer),
                let reading = reading(of: Bytes(rebasing: buffer[..<count]))
            else { return false }
            body(reading)
            return true
        }
    }

    /// The value of `ed`, if it is the last item of an address of the app's page without a fragment.
    private func encodedData(of string: Bytes) -> Slice<Bytes>? {
        let host: StaticString = "https://apps.apple.com/"
        guard string.count <= 4_096, string.holds(host, at: 0),
            string.firstIndex(of: ASCII.hash, in: string.indices) == nil,
            let query = string.firstIndex(of: ASCII.questionMark, in: host.utf8CodeUnitCount..<string.count),
            query - appID.count >= host.utf8CodeUnitCount - 1,
            appID.withUnsafeBufferPointer({ string.holds($0, at: query - appID.count) })
        else { return nil }
        var item = query + 1
        while let ampersand = string.firstIndex(of: ASCII.ampersand, in: item..<string.count) { item = ampersand + 1 }
        // The rest must be ASCII, since a link is UTF-8. A loop without an early exit checks many bytes at once.
        guard string.holds("ed=", at: item), string[..<item].reduce(0, |) < 0x80, let last = string.last,
            characters.isUnreserved(last)
        else { return nil }
        return string[(item + 3)...]
    }

    /// Reads a payload in the form in which it is written: `{"timestamp":…,"referrer":"…","name":"…"}`.
    private func reading(of payload: Bytes) -> Reading? {
        let (timestampName, referrerName): (StaticString, StaticString) = ("{\"timestamp\":", ",\"referrer\":\"")
        guard payload.holds(timestampName, at: 0) else { return nil }
        let digits = timestampName.utf8CodeUnitCount
        var milliseconds = 0
        var end = digits
        while end < payload.count, ASCII.isDigit(payload[end]), end - digits < 15 {
            milliseconds = milliseconds * 10 + Int(payload[end] & 15)
            end += 1
        }
        // Fewer digits may be seconds, and more aren't exact in a double.
        guard 13...15 ~= end - digits, payload[digits] != UInt8(ascii: "0"), payload.holds(referrerName, at: end) else {
            return nil
        }
        let timestamp = digits..<end
        let referrer = end + referrerName.utf8CodeUnitCount
        guard let referrerEnd = endOfText(payload, from: referrer), referrerEnd > referrer,
            let parameters = parameters(of: payload, after: referrerEnd)
        else { return nil }
        return Reading(
            verdict: judge.scanner.window.verdict(
                on: Timestamp(milliseconds: Double(milliseconds)),
                now: judge.now,
                lastReported: judge.reported
            ),
            referrer: payload.part(referrer..<referrerEnd),
            timestamp: payload.part(timestamp),
            parameters: payload.part(parameters)
        )
    }

    /// The range of the parameters, if their names are in order and unique.
    private func parameters(of payload: Bytes, after referrerEnd: Int) -> Range<Int>? {
        var position = referrerEnd + 1
        var previous = position..<position
        var isFirst = true
        while payload.holds(",\"", at: position) {
            // Names are compared, so they have no escapes, and no letters that JavaScript sorts in another order.
            guard let nameEnd = endOfName(payload, from: position + 2), payload.holds("\":\"", at: nameEnd),
                let valueEnd = endOfText(payload, from: nameEnd + 3)
            else { return nil }
            let name = (position + 2)..<nameEnd
            guard isFirst || payload[previous].lexicographicallyPrecedes(payload[name]),
                !payload.holds("timestamp\"", at: name.lowerBound), !payload.holds("referrer\"", at: name.lowerBound)
            else { return nil }
            (previous, isFirst) = (name, false)
            position = valueEnd + 1
        }
        guard position == payload.count - 1, payload[position] == ASCII.closeBrace else { return nil }
        return min(referrerEnd + 2, position)..<position
    }

    /// The closing quotation mark of a name without escapes.
    private func endOfName(_ payload: Bytes, from start: Int) -> Int? {
        var end = start
        while end < payload.count, characters.isPlain(payload[end]) { end += 1 }
        return end < payload.count && payload[end] == ASCII.quote ? end : nil
    }

    /// The closing quotation mark of a text, whose only escapes are those of quotation marks and backslashes, and which has no
    /// character that a terminal would interpret.
    private func endOfText(_ payload: Bytes, from start: Int) -> Int? {
        var end = start
        while end < payload.count {
            switch payload[end] {
            case let byte where characters.isPlain(byte): end += 1
            case ASCII.quote: return end
            case ASCII.backslash:
                guard payload.holds("\\\"", at: end) || payload.holds("\\\\", at: end) else { return nil }
                end += 2
            default:
                guard let count = Self.length(ofShownCharacterIn: payload, at: end) else { return nil }
                end += count
            }
        }
        return nil
    }

    /// The number of bytes of a character beyond ASCII; `nil` if it isn't valid UTF-8, or if a terminal would interpret it.
    private static func length(ofShownCharacterIn bytes: Bytes, at start: Int) -> Int? {
        let lead = bytes[start]
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard 0xC2...0xF4 ~= lead, start + count <= bytes.count else { return nil }
        var value = UInt32(lead & (0x7F >> UInt8(count)))
        for index in start + 1..<start + count {
            guard bytes[index] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[index] & 0x3F)
        }
        let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000
        guard value >= least, let scalar = Unicode.Scalar(value), !scalar.isDisplayControl else { return nil }
        return count
    }
}
