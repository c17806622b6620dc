/// A program in which people invite others, and the event that makes an invitation count.
///
/// ```swift
/// let program = InviteProgram("invite-2026", event: "first-board")
/// ```
///
/// Keep a program in the list after its end, as long as its invitations are to be counted.
public struct InviteProgram: Sendable, Hashable {
    /// The name of the program. It is part of each entry in the guestbook.
    public let name: String

    /// The event that a newcomer must reach.
    public let event: String

    /// Creates a program. Its event is one that an app records with ``InviteCenter/recordEvent(_:)``.
    public init(_ name: String, event: String) {
        self.name = name
        self.event = event
    }
}
