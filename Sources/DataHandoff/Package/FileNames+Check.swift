extension FileNames {
    /// The folders of this library, in the storage and beside installed files.
    private static let own = [InstallationFolder.storageName, InstallationFolder.nameBesideFiles].map(comparable)

    /// Throws ``HandoffError/invalidName(_:)`` with the first name that isn't safe, that is the same as another name or
    /// its folder, or that leads into a folder of this library or to a file of another. The names of a package may include that
    /// of the user defaults.
    static func check(_ names: [String], isPackage: Bool = false) throws(HandoffError) {
        let name = firstInvalid(names) { name in
            isReserved(name) && !(isPackage && name.utf8.elementsEqual(HandoffDefaults.fileName.utf8))
                || LibraryFiles.isReached(by: name)
        }
        if let name { throw .invalidName(name) }
    }

    private static func isReserved(_ name: String) -> Bool {
        self.names(in: name).first.map(comparable).map(own.contains) == true
    }
}
