import Combine
import DataHandoff
import Foundation
import ReferralBridge
import UIKit

/// The boards of the free app, and the handoff to Trestle.
@MainActor
final class LiteBoards: ObservableObject {
    /// The key of the user defaults that travel with the boards.
    nonisolated static let sortsByName = "sortsByName"

    /// Trestle's number in the App Store.
    private static let trestle: AppID = 1_300_230_302

    @Published private(set) var list: BoardList
    /// Whether the way to Trestle is shown, since there is no room for another board, or Trestle isn't installed.
    @Published private(set) var leadsToTrestle = false
    /// Trestle's request, until the user has decided.
    @Published var delivery: HandoffDelivery?
    @Published private(set) var file: URL?
    @Published private(set) var news: String?

    let sender: HandoffSender?
    let route: HandoffRoute

    init(in documents: URL = .documentsDirectory, storage: URL = .applicationSupportDirectory) {
        list = BoardList(in: documents)
        var route = HandoffRoute(
            from: "com.example.trestle.lite",
            to: "com.example.trestle",
            scheme: "trestle",
            returnScheme: "trestle-lite"
        )
        // Without the app group, the boards travel on a link.
        route.group = FileManager.default.containerURL(
            forSecurityApplicationGroupIdentifier: "group.com.example.trestle"
        )
        self.route = route
        do {
            sender = try HandoffSender(route, storage: storage) {
                let list = BoardList(in: documents)
                // Until the first change, there is no file. One that can't be read now isn't replaced.
                if !FileManager.default.fileExists(atPath: list.file.path) { try list.save() }
                let files = [HandoffContents.File("boards.json", at: list.file)]
                return HandoffContents(schema: 1, files: files, defaults: HandoffDefaults([Self.sortsByName]))
            }
        } catch {
            sender = nil
            news = error.description
        }
        Task { await lookForReceipts() }
    }

    /// Adds a board, or shows the way to the app that has room for it.
    func add() {
        guard !list.isFull else { return leadToTrestle() }
        do { try list.add() } catch { news = "\(error)" }
    }

    private func leadToTrestle() {
        leadsToTrestle = true
        // Trestle finds the boards in the shared folder, also if its user doesn't allow it to paste the link.
        if route.group != nil { Task { await leaveBoards() } }
    }

    private func leaveBoards() async {
        await attempt { () async throws(HandoffError) in
            _ = try await sender?.sendToGroup()
            return nil
        }
    }

    /// Copies a link with which Trestle asks for the boards at its first launch, and shows its page in the App Store.
    func showStore() async {
        guard let page = try? StorePage(appID: Self.trestle),
            let referral = try? Referral(referrer: route.sender, parameters: ["handoff": "1"]),
            let link = try? ReferralLink(page: page, referral: referral), let url = URL(string: page.address)
        else { return }
        UIPasteboard.general.items = [["public.utf8-plain-text": link.address]]
        _ = await UIApplication.shared.open(url)
    }

    /// A link has opened the app.
    func open(_ url: URL) async {
        do throws(HandoffError) {
            // SwiftUI doesn't name the app that opened a link. An app with a scene delegate needn't accept this.
            switch try await sender?.receive(url, from: nil, acceptsUnnamedApps: true) {
            case .request(let request): delivery = request
            case .receipt(let confirmation): await arrived(confirmation)
            case nil: break
            @unknown default: break
            }
        } catch .notALink {
            // The address is for other code.
        } catch {
            news = error.description
        }
    }

    /// Reads what Trestle has left in the shared folder.
    private func lookForReceipts() async {
        for confirmation in (try? await sender?.confirmations()) ?? [] { await arrived(confirmation) }
    }

    /// Trestle reports that it has the boards. Delete data only after a proven receipt, and if it hasn't changed.
    private func arrived(_ confirmation: HandoffConfirmation) async {
        await attempt { () async throws(HandoffError) in
            guard confirmation.isProven, try await sender?.hasChanged(since: confirmation) == false else {
                return NSLocalizedString(
                    "Trestle reports that your boards have arrived. Keep this app until you have seen them there.",
                    comment: ""
                )
            }
            return NSLocalizedString(
                "Your boards have arrived in Trestle. You can delete this app now.",
                comment: ""
            )
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

    /// Opens Trestle, which then asks for the boards, or shows the way to it.
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

    /// Shows the message of a step, or its error. It isn't an error that Trestle isn't installed: its page in the store is
    /// offered.
    private func attempt(_ step: () async throws(HandoffError) -> String?) async {
        do throws(HandoffError) {
            news = try await step()
        } catch .otherAppMissing {
            news = nil
            leadToTrestle()
        } catch .openingDeclined {
            news = nil
        } catch {
            news = error.description
        }
    }
}
