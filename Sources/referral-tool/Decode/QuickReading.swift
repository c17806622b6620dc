import ReferralBridge

/// The quick way to the same verdict, for links as this project writes them: nothing escaped, nothing added.
///
/// Such a link has one form only, and its payload's pieces can be copied as they stand. Of any other string this says nothing,
/// and the plain way goes on; so no rule of reading stands here as well.
struct QuickReading {
    /// The longest payload that is read here: it lies on the stack.
    private static let longestPayload = 1_024

    /// What a link says, as it stands in JSON.
    struct Reading {
        let verdict: Verdict
        /// What stands between the quotes.
        let referrer: Bytes
        /// Whole milliseconds.
        let timestamp: Bytes
        /// What stands between the braces.
        let parameters: Bytes
    }

    let scanner: ReferralScanner
    let now: Timestamp
    let reported: Timestamp?
    private let appID: [UInt8]
    private let characters = CharacterTable()

    init(_ scanner: ReferralScanner, now: Timestamp, reported: Timestamp?) {
        self.scanner = scanner
        self.now = now
        self.reported = reported
        appID = Array("/id\(scanner.appID)".utf8)
    }

    /// Hands over what a link says; `false`, without having called anybody, where it takes the plain way.
    func read(_ string: Bytes, _ body: (Reading) -> Void) -> Bool {
        guard let encoded = encodedData(of: string), encoded.count <= Self.longestPayload else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestPayload) { buffer in
            guard let count = try? EncodedData.decode(encoded, into: buffer),
                let reading = reading(of: Bytes(rebasing: buffer[..<count]))
            else { return false }
            body(reading)
            return true
        }
    }

    /// The value of `ed`, where that is the last item of an address of our app's page that has no fragment.
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
        // What is no UTF-8 is no link; a payload that is read is base64. All bits at once, as no loop with an exit would be.
        guard string.holds("ed=", at: item), string[..<item].reduce(0, |) < 0x80, let last = string.last,
            characters.isUnreserved(last)
        else { return nil }
        return string[(item + 3)...]
    }

    /// Reads a payload that stands as it is written: `{"timestamp":…,"referrer":"…","name":"…"}`.
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
        // Fewer digits may be seconds, and more are not read exactly.
        guard 13...15 ~= end - digits, payload[digits] != UInt8(ascii: "0"), payload.holds(referrerName, at: end) else {
            return nil
        }
        let timestamp = digits..<end
        let referrer = end + referrerName.utf8CodeUnitCount
        guard let referrerEnd = endOfText(payload, from: referrer), referrerEnd > referrer,
            let parameters = parameters(of: payload, behind: referrerEnd)
        else { return nil }
        return Reading(
            verdict: scanner.window.verdict(
                on: Timestamp(milliseconds: Double(milliseconds)),
                now: now,
                lastReported: reported
            ),
            referrer: payload.part(referrer..<referrerEnd),
            timestamp: payload.part(timestamp),
            parameters: payload.part(parameters)
        )
    }

    /// Where the parameters stand, if their names are in order and each is there once.
    private func parameters(of payload: Bytes, behind referrerEnd: Int) -> Range<Int>? {
        var position = referrerEnd + 1
        var previous = position..<position
        var isFirst = true
        while payload.holds(",\"", at: position) {
            guard let nameEnd = endOfText(payload, from: position + 2), payload.holds("\":\"", at: nameEnd),
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

    /// The closing quote of a text in which nothing is escaped.
    private func endOfText(_ payload: Bytes, from start: Int) -> Int? {
        var end = start
        while end < payload.count, characters.isPlain(payload[end]) { end += 1 }
        return end < payload.count && payload[end] == ASCII.quote ? end : nil
    }
}
