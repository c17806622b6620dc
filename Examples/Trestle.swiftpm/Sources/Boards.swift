import Combine
import DataHandoff
import Foundation
import ReferralBridge
import UIKit

/// The user's boards, a list of names in Documents, and the handoff from Trestle Lite.
@MainActor
final class Boards: ObservableObject {
    /// The key of the user defaults that come with the boards.
    nonisolated static let sortsByName = "sortsByName"

    /// Trestle Lite's number in the App Store.
    private static let lite: AppID = 1_300_230_301

    @Published private(set) var names: [String] = []
    @Published private(set) var news: String?
    /// The offer of Trestle Lite, until the user has decided.
    @Published var question: HandoffOfferModel?
    /// Whether Trestle Lite wants to send its boards, until the user has decided.
    @Published var isInvited = false
    /// The reason to offer the boards of Trestle Lite, until the user has decided.
    @Published private(set) var suggestion: HandoffSuggestion?
    /// The receipts that Trestle Lite hasn't received.
    @Published private(set) var receipts: [HandoffReceipt] = []
    /// The page of Trestle Lite in the App Store, if the user wants its boards and it isn't installed.
    @Published private(set) var litePage: URL?

    let receiver: HandoffReceiver?
    private let documents: URL

    init(in documents: URL = .documentsDirectory, storage: URL = .applicationSupportDirectory) {
        self.documents = documents
        var route = HandoffRoute(
            from: "com.example.trestle.lite",
            to: "com.example.trestle",
            scheme: "trestle",
            returnScheme: "trestle-lite"
        )
        // Without the app group, the boards travel on a link.
        route.group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: TrestleApp.group)
        do {
            receiver = try HandoffReceiver(
                route,
                schemas: 1...1,
                storage: storage,
                defaults: HandoffDefaults([Self.sortsByName])
            )
        } catch {
            receiver = nil
            news = error.description
        }
        load()
        Task { await recover() }
    }

    /// Adds a board.
    func add() {
        do {
            let names = names + [String(format: NSLocalizedString("Board %ld", comment: ""), names.count + 1)]
            try JSONEncoder().encode(names).write(to: file, options: .atomic)
            self.names = names
        } catch {
            news = "\(error)"
        }
    }

    /// Looks for a reason to offer the boards of Trestle Lite: its link has led the user here, or it has left them.
    func look(after arrival: Arrival?) async {
        do throws(HandoffError) {
            suggestion = try await receiver?.suggestion(after: arrival) ?? suggestion
        } catch {
            news = error.description
        }
    }

    /// The user wants to bring the boards along.
    func accept(_ suggestion: HandoffSuggestion) async {
        await attempt { () async throws(HandoffError) in
            switch try await suggestion.accept() {
            case .open(let url): try await UIApplication.shared.openOtherApp(url)
            case .offer(let offer): arrived(.success(.offer(offer)))
            @unknown default: break
            }
            self.suggestion = nil
        }
    }

    /// The user doesn't want to.
    func decline(_ suggestion: HandoffSuggestion) async {
        self.suggestion = nil
        // If this can't be saved, the next launch asks again.
        try? await suggestion.decline()
    }

    /// Asks Trestle Lite for its boards, which answers with a link.
    func bring() async {
        isInvited = false
        await attempt { () async throws(HandoffError) in
            guard let url = try await receiver?.request() else { return }
            try await UIApplication.shared.openOtherApp(url)
        }
    }

    /// Shows the error of a step. It isn't an error that Trestle Lite isn't installed: its page in the store is offered.
    private func attempt(_ step: () async throws(HandoffError) -> Void) async {
        (news, litePage) = (nil, nil)
        do throws(HandoffError) {
            try await step()
        } catch .otherAppMissing {
            litePage = (try? StorePage(appID: Self.lite)).flatMap { URL(string: $0.address) }
        } catch .openingDeclined {
            // The user can try again.
        } catch {
            news = error.description
        }
    }

    /// A link or a file has opened the app.
    func arrived(_ result: Result<HandoffReceiver.Message, HandoffError>) {
        litePage = nil
        switch result {
        case .success(.offer(let offer)):
            question = HandoffOfferModel(offer, from: "Trestle Lite", into: documents) { receipt in
                self.question = nil
                if let receipt { Task { await self.confirm(receipt) } }
            }
        case .success(.invitation): isInvited = true
        case .failure(let error): news = error.description
        @unknown default: break
        }
    }

    /// Tells Trestle Lite again that its boards are here.
    func confirmAll() async {
        let waiting = receipts
        receipts = []
        for receipt in waiting { await confirm(receipt) }
    }

    /// Shows the new boards, and tells Trestle Lite that they arrived.
    private func confirm(_ receipt: HandoffReceipt) async {
        load()
        news = NSLocalizedString("Your boards are here.", comment: "")
        if let url = receipt.url {
            do throws(HandoffError) {
                try await UIApplication.shared.openOtherApp(url)
            } catch {
                // The user can try again. Once a receipt is finished, Trestle Lite never learns that its boards are here.
                receipts.append(receipt)
                return
            }
        }
        // Files that can't be removed now are removed after the next launch.
        try? receipt.finish()
    }

    private func recover() async {
        do throws(HandoffError) {
            // Each receipt opens Trestle Lite, so the user decides when.
            receipts = try await receiver?.recover(in: documents).receipts ?? []
        } catch {
            news = error.description
        }
        load()
        await look(after: nil)
    }

    private var file: URL { documents.appending(path: "boards.json") }

    private func load() {
        names = (try? JSONDecoder().decode([String].self, from: Data(contentsOf: file))) ?? []
    }
}
