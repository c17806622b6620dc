import Testing
import UnlockCatalog

/// Names from outside are bytes.
struct NameTests {
    @Test("a composed and a decomposed letter are two names")
    func bytes() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed, "to Swift they are one")
        #expect(Name(composed) != Name(decomposed))
        #expect(Name(composed) == Name("caf\u{E9}"))
        #expect(Set([Name(composed), Name(decomposed), Name(composed)]).count == 2)
        #expect([decomposed: 1].keys.contains(composed))
        #expect(![Name(decomposed): 1].keys.contains(Name(composed)))
        #expect(Name(composed).hashValue != Name(decomposed).hashValue)
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

    @Test("a name of a megabyte of combining marks is a key as fast as any other")
    func combiningMarks() {
        // Marks of two combining classes in turn. Swift's own hash sorts them all, which takes minutes.
        let marks = String(repeating: "\u{301}\u{323}", count: 256 << 10)
        #expect(Set([Name("a" + marks), Name("b" + marks), Name("a" + marks)]).count == 2)
    }
}
