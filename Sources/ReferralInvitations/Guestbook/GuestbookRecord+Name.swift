extension GuestbookRecord {
    /// The name that CloudKit's answers give to the current user.
    static let currentUser = "__defaultOwner__"

    /// The only name under which a user's record for a program counts: `arrival-` and the first 32 hexadecimal digits of
    /// SHA-256 over the user's name, a line feed, and the program.
    ///
    /// So each user can sign once per program, from all their devices. A modified app can choose the name of a record, but
    /// not its creator.
    public static func name(creator: String, program: String) -> String {
        "arrival-" + SHA256.digest(Array("\(creator)\n\(program)".utf8)).prefix(16).hexadecimal
    }

    /// Whether the record's creator has signed for the program under their own name, in the current format.
    var isGenuine: Bool {
        guard format == Self.currentFormat, let creator else { return false }
        // Strings that strangers choose are compared byte by byte, which takes no longer for strange ones.
        return name.utf8.elementsEqual(Self.name(creator: creator, program: program).utf8)
    }

    /// Whether the current user created the record.
    func isOwn(of user: String?) -> Bool {
        [Self.currentUser, user].contains { name in
            guard let name, let creator else { return false }
            return name.utf8.elementsEqual(creator.utf8)
        }
    }
}
