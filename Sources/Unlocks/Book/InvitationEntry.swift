/// An entry of a guestbook: somebody came to the app by the user's invitation.
public struct InvitationEntry: Sendable, Hashable {
    /// The only format that this version reads.
    static let currentFormat = 1

    /// The identifier of the entry. Each identifier counts once in a program.
    public let id: String
    /// The program of invitations that the app has named, such as `invite-2026`.
    public let program: String
    /// The format of the entry. Entries with a format other than 1 are skipped.
    public let format: Int

    /// Creates an entry.
    public init(id: String, program: String, format: Int = 1) {
        self.id = id
        self.program = program
        self.format = format
    }
}
