import Foundation

/// Pages, and what is said of them: the sections of `pages.txt`.
enum PageCases {
    private static let sections: [Substring: [(expected: String, page: String)]] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "pages.txt")
        let text = "\n" + ((try? String(contentsOf: file, encoding: .utf8)) ?? "")
        let sections = text.split(separator: "\n== ").map { section in
            let lines = section.split(separator: "\n")
            return (
                lines[0],
                lines.dropFirst().map { line in
                    let tab = line.firstIndex(of: "\t") ?? line.endIndex
                    return (expected: unescaped(line[..<tab]), page: unescaped(line[tab...].dropFirst()))
                }
            )
        }
        return Dictionary(sections) { $1 }
    }()

    static func all(_ section: Substring) -> [(String, String)] { sections[section] ?? [] }

    /// The text without Swift's escapes, and with the parts that many pages share.
    private static func unescaped(_ text: Substring) -> String {
        let parts = [
            "HEAD": "<!doctype html>\n<script src=referral-bridge.js defer></script>\n",
            "POLICY": "<meta http-equiv=Content-Security-Policy content=\"script-src ",
            "STORE": "https://apps.apple.com/us/app/trestle/id42", "\\n": "\n", "\\r": "\r", "\\t": "\t",
        ]
        return parts.reduce(String(text)) { $0.replacing($1.key, with: $1.value) }
            .replacing(/\\u\{([0-9A-F]+)\}/) { match in
                UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
            }
    }
}
