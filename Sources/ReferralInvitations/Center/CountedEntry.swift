/// An entry in the guestbook that counts for the user: someone came by their invitation and reached the program's event.
///
/// Each entry is counted once, by its ``id``. Pass them all to `Unlocks`, which grants each reward once.
public struct CountedEntry: Sendable, Hashable, Codable, Identifiable {
    /// The name of the record in the guestbook.
    public let id: String
    /// The name of the program.
    public let program: String

    /// Creates an entry, such as for a test or a preview.
    public init(id: String, program: String) {
        self.id = id
        self.program = program
    }
}
