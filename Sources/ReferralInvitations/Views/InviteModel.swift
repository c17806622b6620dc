#if canImport(Combine)
public import Combine
import Foundation

/// The invitation of a user, and the number of people who have come. `InviteView` shows it.
@MainActor
public final class InviteModel: ObservableObject {
    /// The invitation; `nil` until it is known.
    @Published public private(set) var invitation: Invitation?

    /// The code in the invitation; `nil` if the app uses names of its own.
    @Published public private(set) var code: InviteCode?

    /// The number of people who have come and reached the program's event; `nil` until it is known.
    @Published public private(set) var count: Int?

    /// Whether the guestbook couldn't be read, so that more people may have come.
    @Published public private(set) var isOutdated = false

    /// The reason why there is no invitation, for a log.
    @Published public private(set) var problem: String?

    private let center: InviteCenter
    private let landingPage: LandingPage
    private let program: String
    private let destination: String?

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - center: The app's center.
    ///   - landingPage: The page to which the invitation leads.
    ///   - program: The name of the program whose people are counted.
    ///   - destination: A path in the app, such as `/boards/42`.
    public init(_ center: InviteCenter, landingPage: LandingPage, program: String, destination: String? = nil) {
        self.center = center
        self.landingPage = landingPage
        self.program = program
        self.destination = destination
    }

    /// Makes the invitation, reads the guestbook, and then follows the entries until the task is canceled.
    public func load() async {
        await makeInvitation()
        let updates = await center.entryUpdates()
        async let reading: Void = read()
        for await entries in updates { count = entries.count { $0.program == program } }
        await reading
    }

    private func makeInvitation() async {
        do {
            if let name = await center.ownReferrer {
                invitation = try Invitation(landingPage: landingPage, referrer: name, destination: destination)
            } else {
                let code = try await center.code()
                invitation = try Invitation(landingPage: landingPage, code: code, destination: destination)
                self.code = code
            }
            problem = nil
        } catch {
            problem = "\(error)"
        }
    }

    private func read() async {
        do {
            try await center.readEntries()
            isOutdated = false
        } catch {
            isOutdated = true
        }
    }
}
#endif
