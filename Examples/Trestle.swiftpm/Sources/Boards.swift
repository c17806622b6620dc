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

    /// Trestle Lite's identifier.
    private static let sender = "com.example.trestle.lite"

    /// The key of the user defaults for whether the user has answered the first question.
    nonisolated static let hasAnswered = "hasAnsweredTrestleLite"

    /// A question about the boards of Trestle Lite.
    enum Question: Sendable {
        /// A link of Trestle Lite has led the user here.
        case arrival
        /// Trestle Lite has left its boards in the shared folder.
        case package(HandoffManifest)
        /// Trestle Lite wants to send its boards.
        case invitation
        /// The boards have arrived.
        case offer(HandoffOffer)
    }

    @Published private(set) var names: [String] = []
    @Published private(set) var news: String?
    /// What the user is asked, until they have decided.
    @Published private(set) var question: Question?
    /// The receipts that Trestle Lite hasn't received.
    @Published private(set) var receipts: [HandoffReceipt] = []
    /// The page of Trestle Lite in the App Store, if the user wants its boards and it isn't installed.
    @Published private(set) var litePage: URL?

    let receiver: HandoffReceiver?
    private let documents: URL

    init(in documents: URL = .documentsDirectory, storage: URL = .applicationSupportDirectory) {
        self.documents = documents
        var route = HandoffRoute(
            from: Self.sender,
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
        // It reads the boards, too: nothing may open the file earlier.
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

    /// Looks for a reason to offer the boards of Trestle Lite, once: its link has led the user here, or it has left them.
    func look(after arrival: Arrival?) async {
        guard question == nil, UserDefaults.standard.object(forKey: Self.hasAnswered) == nil else { return }
        do throws(HandoffError) {
            let packages = try await receiver?.packages() ?? []
            if let manifest = packages.compactMap({ try? $0.manifest.get() }).first {
                question = .package(manifest)
            } else if let arrival, arrival.referrer == Self.sender, arrival.parameters["handoff"] != nil {
                question = .arrival
            }
        } catch {
            news = error.description
        }
    }

    /// Asks Trestle Lite for its boards, which answers with a link.
    func bring() async { await attempt { () async throws(HandoffError) in try await request() } }

    private func request() async throws(HandoffError) {
        guard let url = try await receiver?.request() else { return }
        try await UIApplication.shared.openOtherApp(url)
    }

    /// The user agrees.
    func accept() async {
        await attempt { () async throws(HandoffError) in
            switch question {
            case .package(let manifest):
                // The boards are copied first, so that the next question is about what is here.
                guard let receiver else { return }
                question = .offer(try await receiver.open(manifest))
            case .offer(let offer):
                let receipt = try await offer.install(into: documents)
                endQuestion()
                await confirm(receipt)
            case .arrival, .invitation:
                try await request()
                endQuestion()
            case nil: break
            }
        }
    }

    /// The user doesn't want to.
    func decline() async {
        // A package that can't be removed now is removed by a later launch.
        if case .offer(let offer) = question { try? await offer.decline() }
        endQuestion()
    }

    private func endQuestion() {
        question = nil
        UserDefaults.standard.set(true, forKey: Self.hasAnswered)
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
    func open(_ url: URL) async {
        litePage = nil
        do throws(HandoffError) {
            // SwiftUI doesn't name the app that opened a link. An app with a scene delegate needn't accept this.
            switch try await receiver?.receive(url, from: nil, acceptsUnnamedApps: true) {
            case .offer(let offer): question = .offer(offer)
            case .invitation: question = .invitation
            case nil: break
            @unknown default: break
            }
        } catch .notALink {
            // The address is for other code.
        } catch {
            news = error.description
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
