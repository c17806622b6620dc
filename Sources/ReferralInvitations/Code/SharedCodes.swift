/// Keeps the user's own codes on all their devices.
///
/// `UbiquitousCodes` keeps them in iCloud. The last text that a device saves replaces the others, and each device adds the
/// codes that it knows. So if the store becomes that of another user, the codes of both users become each user's own: see
/// <doc:TheGuestbook>. The center loads them at each launch, and when the app asks for the user's code.
public protocol SharedCodes: Sendable {
    /// The text that a device saved last; `nil` if there is none yet.
    func load() -> String?

    /// Saves a text for all devices.
    func save(_ text: String)
}
