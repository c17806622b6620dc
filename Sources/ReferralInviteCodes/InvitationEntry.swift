/// An entry of the guestbook that counts for the user: somebody came by their invitation and reached the program's event.
///
/// `InviteCenter` has them, and `UnlockCenter` gives each reward once, by the entry's ``id``.
public struct InvitationEntry: Sendable, Hashable, Codable, Identifiable {
    /// The name of the record in the guestbook. Each counts once in a program.
    public let id: String
    /// The name of the program, such as `invite-2026`.
    public let program: String

    /// Creates an entry.
    public init(id: String, program: String) {
        self.id = id
        self.program = program
    }
}
