import TestSupport
import Testing
import UnlockCatalog
import Unlocks

/// Names are bytes.
struct NameTests {
    /// All kinds of names.
    private static let kinds: [any CatalogName.Type] = [
        ItemID.self, UnlockID.self, ProductID.self, RewardID.self, EventName.self, Name.self,
    ]

    @Test("a composed and a decomposed letter are two names, in all kinds", arguments: kinds.indices)
    func bytes(kind: Int) {
        func test<ID: CatalogName>(_ type: ID.Type) {
            let (composed, decomposed) = (ID("caf\u{E9}"), ID("cafe\u{301}"))
            #expect(composed.rawValue == decomposed.rawValue, "to Swift they are one")
            #expect(!(composed == decomposed))
            #expect(composed != decomposed)
            #expect(composed == ID("caf\u{E9}"))
            #expect(!(composed != ID("caf\u{E9}")))
            #expect(Set([composed, decomposed, composed]).count == 2)
            #expect(![decomposed].contains(composed))
            #expect([decomposed: 1][composed] == nil)
            #expect([decomposed] != [composed])
        }
        test(Self.kinds[kind])
    }

    @Test("the operators of a kind compare bytes too")
    func operators() {
        let (composed, decomposed): (UnlockID, UnlockID) = ("caf\u{E9}", "cafe\u{301}")
        #expect(!(composed == decomposed))
        #expect(composed != decomposed)
        #expect(Optional(composed) != decomposed)
        #expect(decomposed < composed)
        #expect(!(composed <= decomposed))
        #expect([decomposed: 1].keys.contains(decomposed))
        #expect(![decomposed: 1].keys.contains(composed))
        #expect(Evidence.free(item: "caf\u{E9}") != .free(item: "cafe\u{301}"))
    }

    @Test("a name is made of a literal or of text, and is its text again")
    func text() {
        let text = "gold"
        let unlock: UnlockID = "gold"
        #expect(unlock == UnlockID(text))
        #expect(unlock == UnlockID(rawValue: text))
        #expect(unlock.rawValue == text)
        #expect("\(unlock)" == text)
        #expect("\([unlock])" == #"["gold"]"#)
        // In a list and in the debugger, no character turns the text around it.
        #expect("\([UnlockID("go\u{202E}ld")])" == #"["go\u{202E}ld"]"#)
        // One that nobody could use is a name too.
        #expect(UnlockID("").rawValue.isEmpty)
    }

    @Test("names are sorted by their bytes")
    func order() {
        let names: [Name] = ["", "Z", "a", "ab", "b", "e\u{301}", "\u{E9}", "\u{FFFD}", "\u{1F600}"]
        #expect(names.reversed().sorted() == names)
        #expect(!(Name("a") < Name("a")))
        #expect(Name("a") < Name("a\u{0}"))
    }

    @Test("two names that follow one another differ if their boundary moves")
    func boundary() {
        func hash(_ names: [Name]) -> Int {
            var hasher = Hasher()
            for name in names { name.hash(into: &hasher) }
            return hasher.finalize()
        }
        #expect(hash(["a", "bc"]) != hash(["ab", "c"]))
        #expect(hash(["ab", "c"]) == hash(["ab", "c"]))
    }

    @Test(
        "a name is 1 to 256 bytes long, whatever its characters",
        arguments: [(0, false), (1, true), (256, true), (257, false)]
    )
    func length(count: Int, isName: Bool) {
        #expect(String(repeating: "a", count: count).isName == isName)
        // Each flag is one character of 8 bytes, and each accent one of 2 bytes on the same letter.
        #expect(!String(repeating: "\u{1F1E9}\u{1F1EA}", count: 33).isName)
        #expect(!("a" + String(repeating: "\u{301}", count: 128)).isName)
        #expect(String(repeating: "\u{1F1E9}\u{1F1EA}", count: 32).isName)
    }

    @Test("a name of combining marks is a key as fast as any other")
    func combiningMarks() throws {
        // Marks of two combining classes in turn. Swift's own hash sorts them all.
        try expectLinear(64 << 10) { count in
            let marks = String(repeating: "\u{301}\u{323}", count: count)
            let names = ["a", "b", "a"].map { UnlockID($0 + marks) }
            #expect(Set(names).count == 2)
            #expect(names[0] != names[1])
            #expect(Dictionary(grouping: names, by: \.self).count == 2)
        }
    }
}
