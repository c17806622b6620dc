/// An entry of the guestbook that counts for the user: somebody came by their invitation and reached the program's event.
///
/// `InviteCenter` has them, and `UnlockCenter` gives each reward once, by the entry's ``id``.
public struct InvitationEntry: Sendable, Hashable, Codable, Identifiable {
    private enum CodingKeys: CodingKey { case id, program }

    /// The only format that this version reads.
    package static let currentFormat = 1

    /// The name of the record in the guestbook. Each counts once in a program.
    public let id: String
    /// The name of the program, such as `invite-2026`.
    public let program: String
    /// The format of the record. Entries with a format other than 1 are skipped.
    public private(set) var format = currentFormat

    /// Creates an entry.
    public init(id: String, program: String, format: Int = 1) {
        self.id = id
        self.program = program
        self.format = format
    }
}
