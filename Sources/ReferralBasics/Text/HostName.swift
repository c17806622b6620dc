/// The names of hosts in addresses.
package enum HostName {
    /// Writes a host in lowercase and in ASCII, with labels beyond ASCII in Punycode (RFC 3492). Escapes are undone.
    ///
    /// - Returns: The host; `nil` if it is empty or too long, or has a character that can't be in a host, or for which systems write
    ///   another one, such as the Kelvin sign, which becomes a k.
    package static func ascii(_ host: Substring) -> String? {
        var letters: [UInt32] = []
        for scalar in PercentEncoding.decode(host.utf8).unicodeScalars {
            let lowercase = scalar.properties.lowercaseMapping.unicodeScalars
            guard lowercase.allSatisfy({ $0.isInHost && $0.isASCII == scalar.isASCII }) else { return nil }
            letters += lowercase.map(\.value)
        }
        // The limit of DNS. Encoding takes the square of the length.
        guard 1...253 ~= letters.count else { return nil }
        let labels = letters.split(separator: UInt32(ASCII.period), omittingEmptySubsequences: false)
        return labels.map { label in
            let text = label.contains { $0 >= 0x80 } ? punycode(label) : label.map { UInt8($0) }
            return String(decoding: text, as: UTF8.self)
        }.joined(separator: ".")
    }

    /// Encodes a label. The variables have their names in the RFC, and the numbers are its parameters.
    private static func punycode(_ label: ArraySlice<UInt32>) -> [UInt8] {
        let basic = label.filter { $0 < 0x80 }.map { UInt8($0) }
        var output = Array("xn--".utf8) + basic + (basic.isEmpty ? [] : [ASCII.dash])
        var (n, delta, bias, h) = (0x80 as UInt32, 0, 72, basic.count)
        while let m = label.filter({ $0 >= n }).min() {
            delta += Int(m - n) * (h + 1)
            for c in label where c <= m {
                guard c == m else {
                    delta += 1
                    continue
                }
                output += digits(of: delta, bias)
                bias = adapt(h == basic.count ? delta / 700 : delta / 2, h + 1)
                (delta, h) = (0, h + 1)
            }
            (delta, n) = (delta + 1, m + 1)
        }
        return output
    }

    /// Writes a number in digits of variable weight.
    private static func digits(of number: Int, _ bias: Int) -> [UInt8] {
        var (digits, q, k) = ([] as [Int], number, 36)
        while true {
            let t = min(max(k - bias, 1), 26)
            guard q >= t else { return (digits + [q]).map { UInt8($0 < 26 ? 97 + $0 : 22 + $0) } }
            digits.append(t + (q - t) % (36 - t))
            (q, k) = ((q - t) / (36 - t), k + 36)
        }
    }

    private static func adapt(_ damped: Int, _ count: Int) -> Int {
        var (delta, k) = (damped + damped / count, 0)
        while delta > 455 { (delta, k) = (delta / 35, k + 36) }
        return k + 36 * delta / (delta + 38)
    }
}

extension Unicode.Scalar {
    /// Whether the character, in lowercase, can be in a host, where Unicode writes it in no other way: no accent by itself, which
    /// may be composed with a letter, nor a part of a Korean syllable. Of `ß` and `ς`, browsers make no other letters.
    fileprivate var isInHost: Bool {
        switch value {
        case ..<0x80: ASCII.isAlphanumeric(UInt8(value)) || "_[]:.-".unicodeScalars.contains(self)
        case 0xDF, 0x3C2: true
        case 0x300...0x36F, 0x1100...0x11FF, 0x3099...0x309A: false
        default: isWritten && !properties.changesWhenNFKCCaseFolded
        }
    }
}
