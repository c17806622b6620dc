import AccessLog
import CoreImage
import Foundation
import ReferralBridge
import ReferralInvitations
import StoreKit
import SwiftUI
import TestSupport
import Testing

extension PlatformTests {
    /// The views of invitations: what a person sees, and what the app is told.
    @MainActor
    struct InviteViewTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        private let guestbook = InMemoryGuestbook(user: "_anna")
        private let page = LandingPage("https://example.com/get")

        private func center(ownReferrer: String? = nil) async throws -> InviteCenter {
            let center = InviteCenter(
                guestbook: guestbook,
                programs: [InviteProgram("invite-2026", event: "first-board")],
                folder: folder,
                ownReferrer: ownReferrer,
                clock: DeviceClock(now: { Fixture.now })
            )
            try await center.start()
            return center
        }

        private func sign(_ users: String..., for referrer: String) async throws {
            for user in users {
                let entry = GuestbookEntry(
                    program: "invite-2026",
                    referrer: referrer,
                    event: "first-board",
                    day: Date(timeIntervalSince1970: 0)
                )
                _ = try await guestbook.shared(with: user).sign(entry)
            }
        }

        // MARK: Inviting

        private func view(_ model: InviteModel) -> InviteView {
            InviteView(model, yours: "You get ten hints.", theirs: "Your friend gets gold.")
        }

        @Test("a person sees what both get, the QR code, the code, and how many have come")
        func invitation() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let center = try await center()
            let code = try await center.code()
            try await sign("_ben", "_cem", for: code.text)
            let model = InviteModel(center, landingPage: page, program: "invite-2026")
            #expect(Rendering(view(model)).images.isEmpty)
            Rendering(view(model)).appear()
            await until("both are counted") { model.count == 2 }
            let shown = Rendering(view(model))
            #expect(shown.texts.contains("You get ten hints."))
            #expect(shown.texts.contains("Your friend gets gold."))
            #expect(shown.texts.contains(code.text))
            #expect(shown.texts.contains("2 friends have come"))
            let address = "https://example.com/get?via=\(code.text)"
            let image = try #require(shown.images.first)
            #expect(String(decoding: image.image.message, as: UTF8.self) == address)
            #expect(image.label == "QR code of your invitation")
            #expect(shown.shared.map(\.item.absoluteString) == [address])
            #expect(shown.shared.first?.message?.hasPrefix("Have a look at this app.") == true)
            let spelled = code.text.split(separator: "-").map { $0.map(String.init).joined(separator: " ") }
            #expect(shown.labels == ["Your code: " + spelled.joined(separator: ", ")])
        }

        @Test("offline, the person sees who has come so far")
        func offline() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let center = try await center()
            try await sign("_ben", for: try await center.code().text)
            try await center.readEntries()
            await guestbook.change { $0.failure = .offline }
            let model = InviteModel(center, landingPage: page, program: "invite-2026")
            Rendering(view(model)).appear()
            await until("it says so") { model.problem != nil && model.count != nil }
            let shown = Rendering(view(model))
            #expect(shown.texts.contains("1 friends have come"))
            #expect(shown.images.count == 1)
        }

        @Test("a landing page that isn't one page is said")
        func noInvitation() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let model = InviteModel(try await center(), landingPage: LandingPage("https://a.b/*"), program: "invite")
            Rendering(view(model)).appear()
            await until("it says so") { model.problem != nil }
            #expect(Rendering(view(model)).texts.contains("Your invitation can’t be made right now."))
        }

        @Test(
            "the copied address is on the clipboard as an address and as text, and nothing waited for that on the main thread"
        )
        func copy() async throws {
            await Device.launchInFront()
            defer { try? FileManager.default.removeItem(at: folder) }
            let model = InviteModel(try await center(ownReferrer: "anna"), landingPage: page, program: "invite-2026")
            Rendering(view(model)).appear()
            await until("there is an invitation") { model.invitation != nil }
            let view = view(model)
            let button = try #require(Rendering(view).buttons.first { $0.title == "Copy Link" })
            button.press()
            await until("it is copied") { Rendering(view).buttons.contains { $0.title == "Copied" } }
            let address = "https://example.com/get?via=anna"
            #if canImport(UIKit)
            await until("it is on the clipboard") { !UIPasteboard.general.items.isEmpty }
            let item = try #require(UIPasteboard.general.items.first)
            #expect((item["public.url"] as? URL)?.absoluteString == address)
            #expect(item["public.utf8-plain-text"] as? String == address)
            #else
            func copied(_ type: NSPasteboard.PasteboardType) -> String? {
                NSPasteboard.general.pasteboardItems?.first?.string(forType: type)
            }
            await until("it is on the clipboard") { copied(.string) != nil }
            #expect([copied(.URL), copied(.string)] == [address, address])
            #endif
            let writes = Device.log.take().filter { ["items=", "clearContents", "setString"].contains($0.name) }
            #expect(!writes.isEmpty && writes.allSatisfy { !$0.isOnMainThread && !$0.isInTask })
        }

        // MARK: A code of somebody else

        /// The arrivals that an app is told of.
        @MainActor
        private final class Told {
            var arrivals: [Arrival] = []
        }

        private func field(_ center: InviteCenter, _ told: Told) -> InviteModel {
            InviteModel(center, landingPage: page, program: "invite-2026") { told.arrivals.append($0) }
        }

        private func shown(_ model: InviteModel) -> Rendering { Rendering(InviteCodeField(model)) }

        @Test("a code is formatted while it is typed, and arrives by the road of typed codes, once")
        func typing() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let told = Told()
            let model = field(try await center(), told)
            let steps = [
                ("4f7", "4F7"), ("4F7k", "4F7K"), ("4F7K9", "4F7K-9"), ("4F7K-", "4F7K"), ("4F7K9q2mx", "4F7K-9Q2M-X"),
                ("4F7K-9Q2M-XRKQ", "4F7K-9Q2M-XRKQ"), ("4F7K-9QM-XRKQ", "4F7K-9QM-XRKQ"),
                ("4F7K-9Q2M-XRKQ", "4F7K-9Q2M-XRKQ"),
            ]
            #expect(shown(model).buttons.first?.isDisabled == true)
            for (typed, formatted) in steps {
                shown(model).textFields.first?.type(typed)
                #expect(shown(model).textFields.first?.value == formatted)
                #expect(model.state == .typing)
            }
            #expect(shown(model).textFields.first?.title == "Invite Code")
            shown(model).textFields.first?.submit()
            await until("it is accepted") { model.state == .accepted }
            await model.submit()
            #expect(told.arrivals.map(\.referrer) == ["4F7K-9Q2M-XRKQ"])
            #expect(told.arrivals.map(\.road) == [.typed])
            #expect(told.arrivals.map(\.timestamp) == [Fixture.now])
            #expect(shown(model).texts.contains("The code was accepted."))
        }

        @Test(
            "each mistake has its sentence",
            arguments: [
                ("4F7U", "A code has only digits and letters, and no U.", false),
                ("4F7K-9Q2M-XRKY", "There is a mistake in the code. Please compare it.", false),
                ("4F7K", "A code has 12 digits and letters. You have entered 4.", true),
                ("4F7K-9Q2M-XRKQ-4", "A code has 12 digits and letters. You have entered 13.", true),
            ]
        )
        func mistakes(_ typed: String, _ sentence: String, _ isSubmitted: Bool) async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let told = Told()
            let model = field(try await center(), told)
            model.text = typed
            if isSubmitted {
                #expect(model.state == .typing)
                await model.submit()
            }
            #expect(shown(model).texts.contains(sentence), "\(shown(model).texts)")
            #expect(shown(model).buttons.first?.isDisabled == true)
            await model.submit()
            #expect(told.arrivals.isEmpty)
            model.text = "4F7K-9Q2M-XRKQ"
            #expect(model.canSubmit)
        }

        @Test("the person's own code is refused with its own sentence")
        func ownCode() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let (center, told) = (try await center(), Told())
            let model = field(center, told)
            model.text = try await center.code().text.lowercased()
            await model.submit()
            #expect(shown(model).texts.contains("This is your own code. Give it to a friend."))
            #expect(told.arrivals.isEmpty)
        }

        // MARK: A welcome

        @Test("a person is welcomed by the name that the app finds, and without one until then")
        func welcome() async throws {
            let arrival = Arrival(try Referral(referrer: "4F7K-9Q2M-XRKQ"), road: .opened)
            let view = WelcomeView(arrival, waiting: "Gold is waiting.") { code in
                code == "4F7K-9Q2M-XRKQ" ? "Anna" : nil
            }
            #expect(Rendering(view).texts == ["You were invited", "Gold is waiting."])
            Rendering(view).appear()
            await until("the name is there") { Rendering(view).texts.first == "Anna invited you" }
            let nobody = WelcomeView(arrival) { _ in nil }
            Rendering(nobody).appear()
            #expect(Rendering(nobody).texts == ["You were invited"])
        }

        // MARK: Words

        @Test("each sentence is there in both languages, and an app can replace it")
        func words() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let catalog = try StringCatalog("ReferralInvitations/Views")
            try catalog.check()
            #expect(catalog.text("%@ invited you", in: "de") == "%@ hat dich eingeladen")
            let center = try await center()
            let model = InviteModel(center, landingPage: page, program: "invite-2026")
            Rendering(view(model)).appear()
            await until("all is shown") { model.count != nil }
            let field = field(center, Told())
            var renderings = [Rendering(InviteView(model, yours: "", theirs: "", bundle: .main))]
            for text in ["", "!", "4F7K", "4F7K-9Q2M-XRKY"] {
                field.text = text
                await field.submit()
                renderings.append(Rendering(InviteCodeField(field, bundle: .main)))
            }
            let keys = renderings.flatMap(\.keys)
            #expect(keys.count > 11)
            for (key, bundle) in keys {
                #expect(catalog.strings[key] != nil, "\(key)")
                #expect(bundle == .main, "\(key)")
            }
        }
    }
}
