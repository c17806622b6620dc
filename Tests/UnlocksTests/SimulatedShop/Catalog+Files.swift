import Unlocks

extension ShopHistory.Version {
    /// The files of an item, in the form that a catalog has, after its other members.
    static func files(_ version: Self, _ item: String) -> String {
        let files = version.fileTexts(of: item)
        let isGuarded = ["gold-pack", "pro", "starter"].contains(item) && [.whole, .more, .twice].contains(version)
        let guardText = isGuarded ? #","guard":"https://guard.example/\#(item)""# : ""
        return files.isEmpty ? "" : #","files":[\#(files.joined(separator: ","))]\#(guardText)"#
    }

    private func fileTexts(of item: String) -> [String] {
        func file(_ path: String, _ content: Character, at folder: String = "") -> String {
            CatalogItem.File.json(path, content, at: folder)
        }
        return switch (self, item) {
        case (.whole, "gold-pack"): [file("x", "a"), file("y", "b")]
        // Fewer, more, others of the same length, and none.
        case (.older, "gold-pack"): [file("x", "a")]
        case (.more, "gold-pack"): [file("x", "a"), file("sub/z", "d"), file("y", "b"), file("empty", "e")]
        case (.other, "gold-pack"): [file("x", "c"), file("y", "b")]
        case (.otherKinds, "gold-pack"): [file("y", "a"), file("x", "b")]
        case (.whole, "pro"): [file("p", "b")]
        // Equal ones.
        case (.more, "pro"): [file("p", "b"), file("q", "b"), file("r", "c")]
        case (.twice, "pro"): [file("q", "b")]
        case (.whole, "starter"): [file("s", "d")]
        case (.other, "starter"): [file("s", "c")]
        case (.twice, "starter"): [file("s", "d", at: "moved/")]
        case (.whole, "pass"): [file("t", "d")]
        case (.more, "pass"): [file("t", "c")]
        case (.more, "all"): [file("g", "d")]
        case (.otherKinds, "hints"): [file("h", "d")]
        default: []
        }
    }
}
