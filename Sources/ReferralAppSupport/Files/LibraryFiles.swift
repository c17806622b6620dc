/// The files that the libraries write for themselves. No file from outside may be one of them: a stranger's journal would open what
/// wasn't paid for.
package enum LibraryFiles {
    /// The files that the libraries write in the app's folders. The folders have the names that the documentation gives them. A
    /// name that ends with a point begins the names of several files.
    package static let names: [String: [String]] = [
        "Unlocks": ["journal", "journal.", "catalog", "content"],
        "Invitations": ["invites."],
        "ReferralBridge": ["clip.", "ledger.", "counts."],
    ]
    private static let comparableNames = Dictionary(
        uniqueKeysWithValues: names.map { (FileNames.comparable($0), $1) }
    )

    /// Whether a path leads to a file of a library, on any file system and in any folder.
    package static func isReached(by path: String) -> Bool {
        let names = FileNames.names(in: path).map(FileNames.comparable)
        return zip(names, names.dropFirst()).contains { folder, name in
            (comparableNames[folder] ?? []).contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 }
        }
    }
}
