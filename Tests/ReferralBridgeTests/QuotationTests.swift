import ReferralBridge
import TestSupport
import Testing

/// Text from outside in a message. The web's tests use the same file.
struct QuotationTests {
    struct Case: Decodable {
        let text, shown: String
    }

    @Test("what would be acted on instead of being shown is an escape, and a longer text is shortened")
    func vectors() throws {
        for vector in try readVectors("shown", as: [Case].self) {
            #expect(vector.text.shown.unicodeScalars.elementsEqual(vector.shown.unicodeScalars), "\(vector.shown)")
            #expect(vector.text.quoted == "'" + vector.shown + "'")
        }
    }

    @Test("a very long text of marks is shortened")
    func shortened() {
        #expect(("a" + String(repeating: "\u{301}", count: 65_536)).shown.unicodeScalars.count == 81)
    }
}
