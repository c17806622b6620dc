import ReferralBridge

/// The names of a package's files.
///
/// The file systems of iPhones and Macs may treat names that differ only in case or normalization as the same name. So
/// a package can't contain two such names.
package enum FileNames {
    private static let maximumComponents = 8
    /// The valid lengths of a component, in bytes of UTF-8.
    private static let componentLengths = 1...255
    /// The folders of this library, in the storage and beside installed files.
    private static let own = [InstallationFolder.storageName, InstallationFolder.nameBesideFiles].map(folded)

    /// Throws ``HandoffError/invalidName(_:)`` with the first name that isn't safe, or that is the same as another name
    /// or its folder.
    static func check(_ names: [String]) throws(HandoffError) {
        var files: Set<String> = []
        for name in names {
            guard isSafe(name), !isOwn(name), files.insert(folded(name)).inserted else { throw .invalidName(name) }
        }
        for name in names where folders(of: folded(name)).contains(where: files.contains) { throw .invalidName(name) }
    }

    /// Whether a name is a relative path that stays in its folder, with components of valid lengths.
    private static func isSafe(_ name: String) -> Bool {
        let components = components(of: name)
        return components.count <= maximumComponents
            && components.allSatisfy { component in
                componentLengths ~= component.count && !component.elementsEqual(".".utf8)
                    && !component.elementsEqual("..".utf8) && component.first != ASCII.space
                    && component.last != ASCII.space
                    && !component.contains(ASCII.backslash) && !component.contains(ASCII.colon)
            } && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether each component of a path has a valid length.
    static func hasValidLengths(_ path: String) -> Bool {
        components(of: path).allSatisfy { componentLengths ~= $0.count }
    }

    private static func components(of path: String) -> [Substring.UTF8View] {
        path.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    }

    /// Whether a name leads into a folder of this library, on any file system. Some ignore invisible characters, or
    /// dots at the end.
    private static func isOwn(_ name: String) -> Bool {
        var outer = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(while: { $0 != "/" })
        where !scalar.properties.isDefaultIgnorableCodePoint {
            outer.append(scalar)
        }
        while outer.last == "." { outer.removeLast() }
        return own.contains(folded(String(outer)))
    }

    /// Whether a path is the same as another path or leads into it, on any file system.
    static func isSame(_ path: String, orInside outer: String) -> Bool {
        let (path, outer) = (folded(path).split(separator: "/"), folded(outer).split(separator: "/"))
        return path.starts(with: outer)
    }

    /// The name in full case folding. Swift compares strings by canonical equivalence, as these file systems do.
    static func folded(_ name: String) -> String {
        var (folded, iotas) = ("", "")
        for scalar in name.unicodeScalars {
            // Folding needs lowercase, uppercase and lowercase again, because of ẞ and ß. The dotless i is an
            // exception, and is kept.
            let upper = scalar.properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
            var lower = upper.unicodeScalars.map(\.properties.lowercaseMapping).joined().unicodeScalars[...]
            if scalar.properties.canonicalCombiningClass == .notReordered {
                folded += iotas
                iotas = ""
            }
            // A subscript iota folds to a letter. As a mark, it is moved after all other marks.
            if lower.last == "\u{3B9}", lower.count > 1 || scalar == "\u{345}" {
                lower.removeLast()
                iotas += "\u{3B9}"
            }
            folded += scalar == "\u{131}" ? "\u{131}" : String(lower)
        }
        return folded + iotas
    }

    /// The parent folders of a file, the outermost first.
    package static func folders(of name: String) -> [String] {
        name.unicodeScalars.indices.filter { name.unicodeScalars[$0] == "/" }.map { String(name[..<$0]) }
    }
}
