import Combine
import DataHandoff
import Foundation
import UIKit

/// The boards of the free app, and the handoff to Trestle.
@MainActor
final class LiteBoards: ObservableObject {
    nonisolated static let names = ["Garden", "Kitchen", "Holiday"]

    /// Trestle's request, until the user has decided.
    @Published var delivery: HandoffDelivery?
    @Published private(set) var file: URL?
    @Published private(set) var news: String?

    let sender: HandoffSender?

    init() {
        var route = HandoffRoute(
            from: "com.example.trestle.lite",
            to: "com.example.trestle",
            scheme: "trestle",
            returnScheme: "trestle-lite"
        )
        // SwiftUI doesn't name the app that opened a link. An app with a scene delegate doesn't need this.
        route.allowsUnnamedApps = true
        do {
            sender = try HandoffSender(route, storage: .applicationSupportDirectory) {
                let file = URL.documentsDirectory.appending(path: "boards.json")
                try JSONEncoder().encode(Self.names).write(to: file)
                return HandoffContents(schema: 1, files: [.init("boards.json", at: file)])
            }
        } catch {
            sender = nil
            news = error.description
        }
    }

    /// A link has opened the app.
    func arrived(_ result: Result<HandoffSender.Arrival, HandoffError>) {
        switch result {
        case .success(.request(let request)): delivery = request
        case .success(.receipt(let confirmation)): Task { await arrived(confirmation) }
        case .failure(let error): news = error.description
        @unknown default: break
        }
    }

    /// Trestle reports that it has the boards. Delete data only after a proven receipt, and if it hasn't changed.
    private func arrived(_ confirmation: HandoffConfirmation) async {
        await attempt { () async throws(HandoffError) in
            guard confirmation.isProven, try await sender?.hasChanged(since: confirmation) == false else {
                return "Trestle reports that your boards have arrived. Keep this app until you have seen them there."
            }
            return "Your boards have arrived in Trestle. You can delete this app now."
        }
    }

    /// The user has agreed.
    func send(_ delivery: HandoffDelivery) async {
        self.delivery = nil
        await attempt { () async throws(HandoffError) in
            switch try await delivery.send() {
            case .open(let url): try await UIApplication.shared.openOtherApp(url)
            case .share(let file): self.file = file
            @unknown default: break
            }
            return nil
        }
    }

    /// Opens Trestle, which then asks for the boards.
    func invite() async {
        await attempt { () async throws(HandoffError) in
            guard let url = try await sender?.invitation() else { return nil }
            try await UIApplication.shared.openOtherApp(url)
            return nil
        }
    }

    /// Makes a file for the share sheet. It isn't sealed.
    func makeFile() async {
        await attempt { () async throws(HandoffError) in
            file = try await sender?.makeFile()
            return nil
        }
    }

    /// Shows the message of a step, or its error.
    private func attempt(_ step: () async throws(HandoffError) -> String?) async {
        do { news = try await step() } catch { news = error.description }
    }
}
