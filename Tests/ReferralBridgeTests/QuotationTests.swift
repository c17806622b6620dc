import Foundation
import ReferralBridge
import Testing

/// Text from outside in a message.
struct QuotationTests {
    @Test(
        "what would be acted on instead of being shown is an escape",
        arguments: [
            ("anna", "anna"), ("Zoë 👩‍👩‍👧", "Zoë 👩‍👩‍👧"), ("a\u{2069}\u{202E}b", "a\\u{2069}\\u{202E}b"),
            ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb\u{2028}c\u{0}", "a\\u{A}b\\u{2028}c\\u{0}"),
            ("\u{200F}\u{61C}", "\\u{200F}\\u{61C}"),
        ]
    )
    func escapes(_ text: String, _ shown: String) {
        #expect(text.shown == shown)
        #expect(text.quoted == "'" + shown + "'")
    }

    @Test("a longer text is shortened, also one of marks")
    func shortened() {
        #expect(String(repeating: "a", count: 80).shown.count == 80)
        #expect(String(repeating: "a", count: 81).shown == String(repeating: "a", count: 80) + "…")
        #expect(("a" + String(repeating: "\u{301}", count: 65_536)).shown.unicodeScalars.count == 81)
    }
}
