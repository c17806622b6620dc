import DurableFiles

extension FileNames {
    /// The folders of this library, in the storage and beside installed files.
    private static let own = [InstallationFolder.storageName, InstallationFolder.nameBesideFiles].map(folded)

    /// Throws ``HandoffError/invalidName(_:)`` with the first name that isn't safe, that is the same as another name or
    /// its folder, or that leads into a folder of this library. The names of a package may include that of the user
    /// defaults.
    static func check(_ names: [String], isPackage: Bool = false) throws(HandoffError) {
        let name = firstInvalid(names) { name in
            isOwn(name) && !(isPackage && name.utf8.elementsEqual(HandoffDefaults.fileName.utf8))
        }
        if let name { throw .invalidName(name) }
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
}
