#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import StoreKit
import SwiftUI
import TestSupport
import Testing

@testable import DataHandoff

extension PlatformTests {
    /// The way from the free app to the paid one.
    @MainActor
    struct PaidAppTests {
        /// The free app, and what it opens and copies.
        @MainActor
        final class Way {
            let apps: Apps
            var failure: HandoffError?
            var copied: [ReferralLink] = []
            var opened = 0
            var closed = 0

            /// Its time limits end when a test says so.
            let limits = Fixture.clock()

            init() throws { apps = try Apps(limits: limits.clock) }

            func model(page: StorePage? = nil) throws -> PaidAppModel {
                PaidAppModel(
                    try page ?? StorePage(appID: 1_300_230_302),
                    name: "Trestle",
                    sender: apps.sender,
                    open: { () throws(HandoffError) in
                        self.opened += 1
                        if let failure = self.failure { throw failure }
                    },
                    copy: { self.copied.append($0) },
                    completion: { self.closed += 1 }
                )
            }
        }

        /// A user who has tapped the button, and doesn't have the paid app.
        private func withoutPaidApp() async throws -> (Way, PaidAppModel) {
            let way = try Way()
            way.failure = .otherAppMissing
            let model = try way.model()
            model.get()
            await isOver(model)
            return (way, model)
        }

        private func shown(_ model: PaidAppModel, after earlier: Rendering? = nil) -> Rendering {
            Rendering(PaidAppView(model) { Text("As many boards as you like") }, after: earlier)
        }

        /// The store page over the view.
        private func storePage(_ rendering: Rendering) -> SKStoreProductViewController? {
            rendering.controllers.lazy.compactMap { $0.presented as? SKStoreProductViewController }.first
        }

        /// Waits until a page was asked for, and its answer was heard.
        private func isLoaded(_ page: SKStoreProductViewController) async {
            await until("the page loads") { !page.loaded.isEmpty }
            await rest()
        }

        private func press(_ title: String, _ model: PaidAppModel) throws {
            try #require(shown(model).buttons.first { $0.title == title }, "there is no \(title)").press()
        }

        private func isOver(_ model: PaidAppModel) async {
            await until("the app is opened or not") { model.state != .opening }
        }

        @Test("the view says what the other app has, and what happens, in three steps")
        func steps() throws {
            let model = try Way().model()
            #expect(
                shown(model).texts.prefix(5) == [
                    "As many boards as you like", "Get Trestle from the App Store.", "Open Trestle.",
                    "Bring your data along. It also stays here.", "A link is copied, so that Trestle can offer this.",
                ]
            )
            #expect(shown(model).buttons.map(\.title) == ["Get Trestle", "Not Now"])
            #expect(storePage(shown(model)) == nil)
        }

        @Test("an app that isn't installed leads to its page, with a link that asks for the handoff on the pasteboard")
        func missing() async throws {
            let way = try Way()
            way.failure = .otherAppMissing
            let campaign = try Campaign(providerToken: "118915332", campaignToken: "lite")
            let product = "eb2b3606-2fef-4aab-a54e-b2e5547c9bc3"
            let page = try StorePage(appID: 1_300_230_302, campaign: campaign, customProductPage: product)
            let model = try way.model(page: page)
            try press("Get Trestle", model)
            #expect(model.state == .opening)
            #expect(shown(model).buttons.map(\.title) == ["Not Now"])
            model.get()
            await isOver(model)
            #expect(model.state == .store)
            #expect(way.opened == 1)

            let link = try #require(way.copied.first)
            #expect(way.copied.count == 1)
            #expect(link.appID == page.appID)
            #expect(link.referral == (try way.apps.route.referral(timestamp: way.apps.clock.now)))
            let read = try ReferralLink(parsing: link.address, for: page.appID)
            let arrival = Arrival(read.referral, road: .pasteboard)
            #expect(try await way.apps.receiver.suggestion(after: arrival)?.reason == .arrival)

            let rendering = shown(model)
            #expect(rendering.links.map(\.absoluteString) == [page.address])
            let store = try #require(storePage(rendering))
            await isLoaded(store)
            #expect(store.loaded[SKStoreProductParameterITunesItemIdentifier] as? UInt64 == 1_300_230_302)
            #expect(store.loaded[SKStoreProductParameterCampaignToken] as? String == "lite")
            #expect(store.loaded[SKStoreProductParameterProviderToken] as? String == "118915332")
            #expect(store.loaded[SKStoreProductParameterCustomProductPageIdentifier] as? String == product)
            #expect(storePage(shown(model, after: rendering)) === store, "the page stays, and isn't shown twice")
        }

        @Test("a page without a campaign is asked for by its number alone")
        func plainPage() async throws {
            let (_, model) = try await withoutPaidApp()
            let rendering = shown(model)
            let store = try #require(storePage(rendering))
            await isLoaded(store)
            #expect(Array(store.loaded.keys) == [SKStoreProductParameterITunesItemIdentifier])
        }

        @Test("the link is on the pasteboard before the page is shown, since the user may leave for the store there")
        func order() async throws {
            let way = try Way()
            way.failure = .otherAppMissing
            let model = try way.model()
            var copiedBefore: Int?
            SKStoreProductViewController.onLoad = {
                copiedBefore = way.copied.count
                return true
            }
            defer { SKStoreProductViewController.onLoad = { true } }
            model.get()
            await isOver(model)
            let rendering = shown(model)
            await isLoaded(try #require(storePage(rendering)))
            #expect(copiedBefore == 1)
        }

        @Test("the user closes the page")
        func closedPage() async throws {
            let (_, model) = try await withoutPaidApp()
            let rendering = shown(model)
            let store = try #require(storePage(rendering))
            await isLoaded(store)
            store.finish()
            #expect(storePage(rendering) == nil)
            #expect(model.state == .ready)
            model.get()
            await isOver(model)
            let again = shown(model, after: rendering)
            #expect(storePage(again) != nil)
            model.showsStore = false
            #expect(storePage(shown(model, after: again)) == nil)
        }

        private nonisolated static let failures: [@Sendable () throws -> Bool] = [
            { false }, { throw URLError(.notConnectedToInternet) },
        ]

        @Test("a page that can't be loaded closes, and the App Store opens instead", arguments: 0..<failures.count)
        func brokenPage(_ failure: Int) async throws {
            let application = UIApplication.forTests
            defer {
                application.openedURLs = []
                SKStoreProductViewController.onLoad = { true }
            }
            SKStoreProductViewController.onLoad = { try Self.failures[failure]() }
            let (way, model) = try await withoutPaidApp()
            let rendering = shown(model)
            #expect(storePage(rendering) != nil)
            await until("the App Store opens") { !application.openedURLs.isEmpty }
            #expect(application.openedURLs.map(\.absoluteString) == [model.page.address])
            #expect(storePage(rendering) == nil)
            #expect(model.state == .ready, "the user comes back and can open the app")
            #expect(way.copied.count == 1)
        }

        @Test("a page that the user has closed doesn't open the App Store when loading fails afterward")
        func closedBeforeFailure() async throws {
            let application = UIApplication.forTests
            defer { SKStoreProductViewController.onLoad = { true } }
            var load: CheckedContinuation<Bool, any Error>?
            SKStoreProductViewController.onLoad = { try await withCheckedThrowingContinuation { load = $0 } }
            let (_, model) = try await withoutPaidApp()
            let rendering = shown(model)
            let store = try #require(storePage(rendering))
            await until("it loads") { load != nil }
            store.finish()
            load?.resume(returning: false)
            await isLoaded(store)
            #expect(application.openedURLs.isEmpty)
            #expect(storePage(rendering) == nil)
            #expect(model.state == .ready)
        }

        @Test("a page that doesn't load in time closes, and the App Store opens instead; a late answer changes nothing")
        func silentPage() async throws {
            let application = UIApplication.forTests
            defer {
                application.openedURLs = []
                SKStoreProductViewController.onLoad = { true }
            }
            var load: CheckedContinuation<Bool, any Error>?
            SKStoreProductViewController.onLoad = { try await withCheckedThrowingContinuation { load = $0 } }
            let (way, model) = try await withoutPaidApp()
            let rendering = shown(model)
            let store = try #require(storePage(rendering))
            await until("it loads") { load != nil && way.limits.sleeping == 1 }
            #expect(application.openedURLs.isEmpty)
            way.limits.endSleeps()
            await until("the App Store opens") { !application.openedURLs.isEmpty }
            #expect(storePage(rendering) == nil)
            #expect(model.state == .ready)
            load?.resume(returning: false)
            await isLoaded(store)
            #expect(application.openedURLs.map(\.absoluteString) == [model.page.address])
        }

        @Test("the time limit of a page that has loaded is over")
        func loadedPage() async throws {
            let (way, model) = try await withoutPaidApp()
            let rendering = shown(model)
            await isLoaded(try #require(storePage(rendering)))
            await until("no limit runs") { way.limits.sleeping == 0 }
            #expect(storePage(rendering) != nil)
            #expect(model.state == .store)
        }

        @Test("the user closes the page, comes back with the app, and the button opens it")
        func again() async throws {
            let (way, model) = try await withoutPaidApp()
            model.showsStore = true
            #expect(model.state == .store)
            model.showsStore = false
            #expect(model.state == .ready)
            way.failure = nil
            try press("Get Trestle", model)
            await isOver(model)
            #expect(model.state == .opened)
            #expect(way.copied.count == 1)
            #expect(shown(model).texts.contains("Continue in Trestle."))
            model.showsStore = false
            #expect(model.state == .opened)
        }

        @Test("an installed app is opened, and the pasteboard stays as it is")
        func installed() async throws {
            let way = try Way()
            let model = try way.model()
            model.get()
            await isOver(model)
            #expect(model.state == .opened)
            #expect(way.copied.isEmpty)
        }

        @Test("another error is a sentence, and the user can try again")
        func failed() async throws {
            let way = try Way()
            way.failure = .noSpace
            let model = try way.model()
            model.get()
            await isOver(model)
            #expect(model.state == .failed(.noSpace))
            let full = "There is no space left on this device. Free up some space, and try again."
            #expect(shown(model).texts.contains(full))
            #expect(shown(model).links.map(\.absoluteString) == [model.page.address])

            way.failure = .noSealer
            model.get()
            await isOver(model)
            let texts = shown(model).texts
            let sentence = "Trestle could not be opened. Try again, or look for it in the App Store."
            let place = try #require(texts.firstIndex(of: sentence))
            #expect(texts[place + 1] == HandoffError.noSealer.description)
            way.failure = nil
            try press("Get Trestle", model)
            await isOver(model)
            #expect(model.state == .opened)
        }

        @Test("Not Now tells the app to remove the view")
        func close() throws {
            let way = try Way()
            try press("Not Now", way.model())
            #expect(way.closed == 1)
            #expect(way.opened == 0)
        }

        @Test(
            "on a device, the invitation opens the app, and else the link is on the pasteboard, as a web page copies it"
        )
        func device() async throws {
            await Device.launchInFront()
            let application = UIApplication.forTests
            defer { application.forgetOtherApps() }
            let apps = try Apps()
            let page = try StorePage(appID: 1_300_230_302)
            let model = PaidAppModel(page, name: "Trestle", sender: apps.sender) {}
            model.get()
            await isOver(model)
            #expect(model.state == .store)
            #expect(application.openedURLs.map(\.scheme) == ["trestle"])
            #expect(Device.log.accesses.map(\.name) == ["general", "items="], "the pasteboard isn't read")
            let contents = try await SystemPasteboard().contents()
            #expect(contents.strings.count == 1)
            let link = try ReferralLink(parsing: #require(contents.strings.first), for: page.appID)
            #expect(link.referral.referrer == Apps.lite)

            application.installedSchemes = ["trestle"]
            model.get()
            await isOver(model)
            #expect(model.state == .opened)
            let url = try #require(application.openedURLs.last)
            guard case .invitation = try await apps.receiver.receive(url, from: Apps.lite) else {
                Issue.record("\(url)")
                return
            }
        }

        @Test("a user who doesn't want to open the paid app keeps the pasteboard, and isn't sent to the store")
        func declined() async throws {
            await Device.launchInFront()
            let application = UIApplication.forTests
            defer { application.forgetOtherApps() }
            (application.installedSchemes, application.queriesSchemes) = (["trestle"], ["trestle"])
            application.declinesOpening = true
            let apps = try Apps()
            let model = PaidAppModel(try StorePage(appID: 1_300_230_302), name: "Trestle", sender: apps.sender) {}
            model.get()
            await isOver(model)
            #expect(model.state == .ready)
            #expect(Device.log.accesses.isEmpty)
            #expect(storePage(shown(model)) == nil)
            #expect(shown(model).buttons.map(\.title) == ["Get Trestle", "Not Now"])
            application.declinesOpening = false
            try press("Get Trestle", model)
            await isOver(model)
            #expect(model.state == .opened)
        }

        @Test("while something else is being presented, the page waits, since the system would ignore it")
        func busy() async throws {
            UIViewController.transitionsTakeTime = true
            defer { UIViewController.transitionsTakeTime = false }
            let (_, model) = try await withoutPaidApp()
            UIViewController.beginTransition()
            var rendering = shown(model)
            #expect(storePage(rendering) == nil)
            rendering = shown(model, after: rendering)
            UIViewController.endTransition()
            let store = try #require(storePage(rendering))
            // The app closes it while it is being presented.
            model.showsStore = false
            rendering = shown(model, after: rendering)
            #expect(storePage(rendering) === store)
            UIViewController.endTransition()
            #expect(storePage(rendering) == nil)
            // And asks for it while it is being dismissed.
            model.get()
            await isOver(model)
            rendering = shown(model, after: rendering)
            #expect(storePage(rendering) == nil)
            UIViewController.endTransition()
            #expect(storePage(rendering) != nil)
            UIViewController.endTransition()
            #expect(model.state == .store)
        }

        /// The keys of all sentences, each with the library's bundle or with the app's.
        static func keys(in bundle: Bundle) async throws -> Set<String> {
            let way = try Way()
            var keys: Set<String> = []
            for failure in [nil, HandoffError.otherAppMissing, .noSpace, .noSealer] {
                way.failure = failure
                let model = try way.model()
                func note() {
                    for isOwn in [true, false] {
                        let view = PaidAppView(model, bundle: isOwn ? bundle : nil) { EmptyView() }
                        for (key, place) in Rendering(view).keys {
                            keys.insert(key)
                            #expect((place === bundle) == isOwn, "\(key)")
                        }
                    }
                }
                note()
                model.get()
                note()
                await until("the app is opened or not") { model.state != .opening }
                note()
            }
            return keys
        }

        @Test("each state is also in German")
        func german() async throws {
            let catalog = try StringCatalog("DataHandoff/Offer")
            let way = try Way()
            let model = try way.model()
            @MainActor func expect(_ progress: [String], _ buttons: [String] = ["Trestle laden", "Jetzt nicht"]) throws
            {
                let rendering = Rendering(PaidAppView(model) { EmptyView() })
                let german = try rendering.sentences.map { try #require(catalog.text($0, in: "de"), "\($0.text)") }
                let steps = [
                    "Lade Trestle aus dem App Store.", "Öffne Trestle.",
                    "Nimm deine Daten mit. Sie bleiben auch hier.",
                    "Ein Link wird kopiert, damit Trestle dir das anbieten kann.",
                ]
                #expect(german == steps + progress + buttons)
            }
            try expect([])
            let results: [(HandoffError?, [String])] = [
                (.otherAppMissing, ["Im App Store zeigen"]),
                (
                    .noSpace,
                    [
                        "Auf diesem Gerät ist kein Platz mehr. Schaffe Platz, und versuche es noch einmal.",
                        "Im App Store zeigen",
                    ]
                ),
                (
                    .noSealer,
                    [
                        "Trestle ließ sich nicht öffnen. Versuche es noch einmal, oder suche im App Store danach.",
                        HandoffError.noSealer.description, "Im App Store zeigen",
                    ]
                ),
                (nil, ["Weiter geht es in Trestle."]),
            ]
            for (failure, progress) in results {
                way.failure = failure
                model.get()
                try expect(["Trestle wird geöffnet …"], ["Jetzt nicht"])
                await isOver(model)
                try expect(progress)
            }
        }
    }
}
#endif
