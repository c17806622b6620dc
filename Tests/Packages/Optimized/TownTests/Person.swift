import Foundation

/// Somebody in the town.
@MainActor
final class Person {
    enum Habit: CaseIterable {
        case badLine, secondPhone, reinstalls, invitesSelf, forges, neverSignedIn, signsInLater, wrongClock
        case fullDisk, silentStore, deletesEntry
    }

    /// Their name in the container.
    let account: String
    let habits: Set<Habit>
    var friends: [Int] = []
    var phones: [Phone] = []
    var isSignedIn: Bool
    /// What is in their iCloud.
    var iCloudCodes: String?
    /// When the store first sold them the app, in milliseconds.
    var firstInstallation: Double?
    /// What all their installations owed.
    var dues: [Dues] = []
    /// The codes and addresses that they were told, and that they haven't entered yet.
    var heard: [String] = []

    init(_ number: Int, _ habits: Set<Habit>) {
        account = "_\(number)"
        self.habits = habits
        isSignedIn = habits.isDisjoint(with: [.neverSignedIn, .signsInLater])
    }
}
