/// The beginning of a line that isn't of a log, to show it.
enum StrangeLine {
    private static let maximumLength = 160

    /// The beginning, in which nothing that may be a client's address is left.
    static func text(_ line: Bytes) -> String {
        let text = String(decoding: line.prefix(4 * maximumLength), as: UTF8.self)
        var shown = ""
        var word = ""
        func finish() {
            shown += isAddress(word) ? "[address]" : word
            word = ""
        }
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let isPart = scalar.properties.isASCIIHexDigit || scalar == "." || scalar == ":"
            guard index < maximumLength || isPart && index < 2 * maximumLength else { break }
            if isPart {
                word.unicodeScalars.append(scalar)
            } else {
                finish()
                shown.unicodeScalars.append(scalar)
            }
        }
        finish()
        // A log may have a host's name in the place of the address.
        if let space = shown.firstIndex(of: " "), shown[space...].hasPrefix(" - ") {
            shown = "[address]" + shown[space...]
        }
        return shown.unicodeScalars.count < text.unicodeScalars.count && !shown.contains("[address]")
            ? shown + "…" : shown
    }

    /// Whether a run of hexadecimal digits, points and colons may be an address. A time has two colons at most, and no letter.
    private static func isAddress(_ word: String) -> Bool {
        let (points, colons) = (word.count { $0 == "." }, word.count { $0 == ":" })
        return points >= 2 || colons > 3 || colons >= 2 && word.contains { $0.isLetter } || word.contains("::")
    }
}
