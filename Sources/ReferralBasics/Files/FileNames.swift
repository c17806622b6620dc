import ReferralFoundation

/// The names of files from outside, such as those in a package or a catalog: relative paths.
///
/// The file systems of iPhones and Macs may treat names that differ only in case or normalization as the same name. So
/// a package can't contain two such names.
package enum FileNames {
    private static let maximumComponents = 8
    /// The valid lengths of a component, in bytes of UTF-8.
    private static let componentLengths = 1...255

    /// Finds the first name that isn't safe, or that is the same as another name or its folder.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - isReserved: Whether a safe name is refused for another reason.
    /// - Returns: The name; `nil` if all are valid.
    package static func firstInvalid(
        _ names: some Sequence<String>,
        isReserved: (String) -> Bool = { _ in false }
    ) -> String? {
        var files: Set<String> = []
        for name in names {
            guard isSafe(name), !isReserved(name), files.insert(folded(name)).inserted else { return name }
        }
        return names.first { folders(of: folded($0)).contains(where: files.contains) }
    }

    /// Whether a name is a relative path that stays in its folder, with components of valid lengths.
    private static func isSafe(_ name: String) -> Bool {
        let components = components(of: name)
        return components.count <= maximumComponents
            && components.allSatisfy { component in
                componentLengths ~= component.count && !component.elementsEqual(".".utf8)
                    && !component.elementsEqual("..".utf8) && component.first != UInt8(ascii: " ")
                    && component.last != UInt8(ascii: " ")
                    && !component.contains(UInt8(ascii: "\\")) && !component.contains(UInt8(ascii: ":"))
            } && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether each component of a path has a valid length.
    package static func hasValidLengths(_ path: String) -> Bool {
        components(of: path).allSatisfy { componentLengths ~= $0.count }
    }

    private static func components(of path: String) -> [Substring.UTF8View] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// Whether a path is the same as another path or leads into it, on any file system.
    package static func isSame(_ path: String, orInside outer: String) -> Bool {
        names(in: folded(path)).starts(with: names(in: folded(outer)))
    }

    /// The names in a path. For Swift, a slash and a mark after it are one character, but the slash separates names.
    package static func names(in path: String) -> [String] {
        path.unicodeScalars.split(separator: "/").map { String($0) }
    }

    /// The name in full case folding. Swift compares strings by canonical equivalence, as these file systems do.
    package static func folded(_ name: String) -> String {
        var (folded, iotas) = ("", "")
        for scalar in name.unicodeScalars {
            if scalar.properties.canonicalCombiningClass == .notReordered {
                folded += iotas
                iotas = ""
            }
            // Folding needs lowercase, uppercase and lowercase again, because of ẞ and ß. The dotless i is an exception, and is kept.
            var part = scalar == "\u{131}" ? "\u{131}" : String(scalar).lowercased().uppercased().lowercased()
            // A subscript iota folds to a letter. As a mark, it is moved after all other marks.
            if part.unicodeScalars.last == "\u{3B9}", part.unicodeScalars.count > 1 || scalar == "\u{345}" {
                part.unicodeScalars.removeLast()
                iotas += "\u{3B9}"
            }
            folded += part
        }
        return folded + iotas
    }

    /// A name as any file system may see it: some ignore case, invisible characters, or dots at the end.
    package static func comparable(_ name: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            visible.append(scalar)
        }
        while visible.last == "." { visible.removeLast() }
        return folded(String(visible))
    }

    /// The parent folders of a file, the outermost first.
    package static func folders(of name: String) -> [String] {
        name.unicodeScalars.indices.filter { name.unicodeScalars[$0] == "/" }.map { String(name[..<$0]) }
    }

    /// The names and types of a folder's entries, sorted by name; `nil` if it can't be read, with the reason in
    /// `errno`. A name that isn't UTF-8 is repaired, and can't be opened.
    package static func entries(of folder: String) -> [(name: String, type: Int)]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var entries: [(name: String, type: Int)] = []
        errno = 0
        while let entry = readdir(directory) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            if name != ".", name != ".." { entries.append((name, Int(entry.pointee.d_type))) }
            errno = 0
        }
        // At the end of a folder, `readdir` doesn't change `errno`.
        return errno == 0 ? entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : nil
    }
}
