import Combine
import DataHandoff
import Foundation
import UIKit

/// The boards of the free app, and how they get to Trestle.
@MainActor
final class LiteBoards: ObservableObject {
    nonisolated static let names = ["Garden", "Kitchen", "Holiday"]

    /// What Trestle asks for, until the person has decided.
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
        // SwiftUI doesn't name the app that opened a link. An app with a scene delegate leaves this out.
        route.allowsUnnamedApps = true
        do {
            sender = try HandoffSender(route, storage: .applicationSupportDirectory, sealer: CryptoKitSealer()) {
                let file = URL.documentsDirectory.appending(path: "boards.json")
                try JSONEncoder().encode(Self.names).write(to: file)
                return HandoffContents(schema: 1, files: [("boards.json", file)])
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
        case .success(.receipt): news = "Your boards have arrived in Trestle."
        case .failure(let error): news = error.description
        }
    }

    /// The person has agreed.
    func send(_ delivery: HandoffDelivery) async {
        self.delivery = nil
        await attempt { () async throws(HandoffError) in
            switch try await delivery.send() {
            case .open(let url): try await UIApplication.shared.openOtherApp(url)
            case .share(let file): self.file = file
            }
        }
    }

    /// Opens Trestle, which then asks for the boards.
    func invite() async {
        await attempt { () async throws(HandoffError) in
            guard let url = try await sender?.invitation() else { return }
            try await UIApplication.shared.openOtherApp(url)
        }
    }

    /// Makes a file for the share sheet. It isn't sealed.
    func makeFile() async {
        await attempt { () async throws(HandoffError) in file = try await sender?.makeFile() }
    }

    private func attempt(_ step: () async throws(HandoffError) -> Void) async {
        do {
            try await step()
            news = nil
        } catch {
            news = error.description
        }
    }
}
