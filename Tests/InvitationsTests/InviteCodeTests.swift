import Foundation
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

/// Codes: reading, writing, and the mistakes that are noticed.
struct InviteCodeTests {
    @Test("a code is read as the reference reads it", arguments: InviteVectors.all.codes)
    func reading(_ vector: InviteVectors.Code) {
        do throws(InviteCodeError) {
            #expect(try InviteCode(vector.text).text == vector.code)
        } catch {
            switch error {
            case .unexpectedCharacter: #expect(vector.error == "unexpectedCharacter")
            case .mistyped: #expect(vector.error == "mistyped")
            case .wrongLength(let count):
                #expect(vector.error == "wrongLength")
                #expect(vector.count == count)
            }
        }
    }

    @Test("the check symbols are the reference's", arguments: InviteVectors.all.made)
    func made(_ vector: InviteVectors.Made) throws {
        let symbols = vector.symbols.unicodeScalars.compactMap(InviteCode.symbol)
        try #require(symbols.count == InviteCode.randomSymbolCount)
        #expect(InviteCode(random: symbols).text == vector.code)
    }

    private static let codes: [[UInt8]] = {
        var generator = SeededGenerator(state: 7)
        return (0..<1_000).map { _ in InviteCode.random(using: &generator).text.utf8.filter { $0 != UInt8(ascii: "-") }
        }
    }()

    /// In unoptimized code a few codes take seconds.
    @Test("who mistypes one or two symbols, or exchanges two, thanks nobody else: every such mistake is noticed")
    func pairsOfMistakes() {
        let numbers = 0..<32 as Range<UInt8>
        var missed = 0
        for text in Self.codes.prefix(isOptimized ? 1_000 : 5) {
            let code = text.compactMap { InviteCode.symbol(Unicode.Scalar($0)) }
            var other = code
            for first in code.indices {
                for second in code.indices where second > first {
                    for one in numbers {
                        other[first] = one
                        for two in numbers {
                            other[second] = two
                            if InviteCode.areCode(other), other != code { missed += 1 }
                        }
                    }
                    other[second] = code[second]
                }
                other[first] = code[first]
            }
            #expect(InviteCode.areCode(other))
        }
        #expect(missed == 0)
    }
}

/// What a person may paste where a code is expected.
struct PastedCodeTests {
    /// A link to the App Store whose referrer is a code, as a landing page copies it.
    private static let storeLink: String = {
        let payload = #"{"timestamp":1795224749690,"referrer":"4F7K-9Q2M-XRKQ"}"#
        return "https://apps.apple.com/app/id1300230302?ed=\(Data(payload.utf8).base64EncodedString())"
    }()

    @Test(
        "a code, or an address with one",
        arguments: [
            "4f7k9q2mxrkq", "https://example.com/get?via=4F7K-9Q2M-XRKQ", "trestle://get?a=1&via=4f7k+9q2m+xrkq#x",
            "https://example.com/get?%76ia=4F7K%2D9Q2M-XRKQ&via=x",
            "Have a look at this app. With my link, both of us get something. https://example.com/get?via=4F7K-9Q2M-XRKQ",
            "https://example.com/get?via=4F7K-9Q2M-XRKQ\n\nSee you!", "(https://example.com/get?via=4F7K-9Q2M-XRKQ).",
            "https://example.com/ and https://example.org/get?via=anna and https://example.com/get?via=4F7K-9Q2M-XRKQ",
            "Get it: \(storeLink), thanks", "Look: https://example.com/for/4F7K-9Q2M-XRKQ/!",
            "https://e.org/4F7K%2D9Q2M%2DXRKQ", "https://e.org/4F7K-9Q2M-XRKQ?via=a", "e.org/?via=4F7K-9Q2M-XRKQ",
        ]
    )
    func pasted(_ text: String) throws {
        #expect(try InviteCode(pasting: text).text == "4F7K-9Q2M-XRKQ")
    }

    @Test(
        "the mistake is that of the code in the address",
        arguments: [
            ("https://example.com/get?via=4F7K", InviteCodeError.wrongLength(4)),
            ("https://example.com/get?via=J%C3%B6rg", .unexpectedCharacter),
            ("https://example.com/get?via=", .wrongLength(0)),
            ("https://example.com/get", .unexpectedCharacter), ("https://example.com/get?via", .wrongLength(0)),
            ("https://example.com/get?from=4F7K-9Q2M-XRKQ", .unexpectedCharacter), ("", .wrongLength(0)),
            ("My code is 4F7K-9Q2M-XRKY", .wrongLength(20)), ("Have a look, u: conversations", .unexpectedCharacter),
        ]
    )
    func mistakes(_ text: String, _ error: InviteCodeError) {
        #expect(throws: error) { try InviteCode(pasting: text) }
    }

    @Test("the referrer's item may have another name")
    func otherItem() throws {
        let text = "https://example.com/?via=x&from=4F7K-9Q2M-XRKQ"
        #expect(try InviteCode(pasting: text, referrerItem: "from").text == "4F7K-9Q2M-XRKQ")
    }
}

/// What a field shows while a person types.
struct FormattedCodeTests {
    @Test(
        "a code is formatted as far as it goes",
        arguments: [
            ("", ""), ("4f7k", "4F7K"), ("4f7k9", "4F7K-9"), ("4F7K-", "4F7K"), (" 4f7k 9q2m\n", "4F7K-9Q2M"),
            ("oil", "011"), ("4f7k9q2mxrky", "4F7K-9Q2M-XRKY"), ("4f7k.9q2m.xrkq", "4F7K-9Q2M-XRKQ"),
            ("https://example.com/get?via=4f7k9q2mxrkq", "4F7K-9Q2M-XRKQ"),
        ]
    )
    func formatted(_ text: String, _ expected: String) {
        #expect(InviteCode.formatted(text) == expected)
        #expect(InviteCode.formatted(expected) == expected)
    }

    @Test(
        "only a change at the end groups the symbols, since the caret of a field goes to the end of a new text",
        arguments: [
            ("4F7K-9Q2M-XRKY", "4F7K-9Q2-XRKY", "4F7K-9Q2-XRKY"), ("4F7K-9Q2-XRKY", "4F7K-9Q2m-XRKY", "4F7K-9Q2m-XRKY"),
            ("4F7K-9Q2M", "4F7K9Q2M", "4F7K9Q2M"), ("4F7K9Q2M", "4F7K9Q2Mx", "4F7K-9Q2M-X"),
            ("4F7K-9", "4F7K-", "4F7K"), ("4F7K-9Q2M", "4F7-9Q2M", "4F7-9Q2M"), ("4F7-9Q2M", "4F7-9Q2", "4F79-Q2"),
            ("4F7K", "４4F7K", "４4F7K"),
            ("4F7K", "4F7K https://example.com/get?via=4f7k9q2mxrkq", "4F7K-9Q2M-XRKQ"),
        ]
    )
    func change(_ earlier: String, _ text: String, _ expected: String) {
        #expect(InviteCode.formatted(text, after: earlier) == expected)
    }

    @Test(
        "what isn't a code stays as it is",
        arguments: ["4f7u", "anna!", "4f7k9q2mxrkq4", "ß", "https://example.com/"]
    )
    func others(_ text: String) {
        #expect(InviteCode.formatted(text) == text)
    }

    @Test("VoiceOver spells a code")
    func spelled() throws {
        #expect(try InviteCode("4F7K-9Q2M-XRKQ").spelled == "4 F 7 K, 9 Q 2 M, X R K Q")
    }
}
