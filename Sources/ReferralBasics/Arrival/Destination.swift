/// The rules for paths in the app to which a link may lead.
package enum Destination {
    /// The parameter that names the destination.
    package static let parameterName = "open"

    /// The longest path, in bytes of UTF-8.
    private static let maximumLength = 2_048

    /// The path, if it stays in the app; otherwise `nil`.
    package static func checked(_ path: String?) -> String? {
        guard let path, path.utf8.first == ASCII.slash, path.utf8.count <= maximumLength, isHarmless(path) else {
            return nil
        }
        // An app may decode the path before it uses it.
        return !path.utf8.contains(ASCII.percent) || isHarmless(PercentEncoding.decode(path.utf8))
            ? path : nil
    }

    private static func isHarmless(_ path: String) -> Bool {
        if path.utf8.starts(with: "//".utf8) || path.utf8.contains(ASCII.backslash) { return false }
        if path.unicodeScalars.contains(where: { $0.isControl || $0.isBidirectionalControl }) { return false }
        let ends: [UInt8] = [ASCII.slash, ASCII.questionMark, ASCII.hash]
        return !path.utf8.split(whereSeparator: ends.contains).contains { $0.elementsEqual("..".utf8) }
    }
}

extension Referral {
    /// The path that the parameter ``Destination/parameterName`` names.
    var destination: String? { Destination.checked(claims[Destination.parameterName]) }
}
