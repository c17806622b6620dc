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

    /// Whether somebody else than the user has signed for the program under their own name, in the current format.
    func counts(for user: String?) -> Bool {
        guard format == Self.currentFormat, let creator, creator != Self.currentUser, creator != user
        else { return false }
        // Strings that strangers choose are compared byte by byte, which takes no longer for strange ones.
        return name.utf8.elementsEqual(Self.name(creator: creator, program: program).utf8)
    }
}
