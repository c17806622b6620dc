#if canImport(UIKit)
import DataHandoff
import Foundation
import Testing
import UIKit

extension PlatformTests {
    @MainActor
    struct HandoffUIKitTests {
        @Test("a scene's address is from the app that the system names", arguments: [Apps.lite, "com.example.other"])
        func receiver(app: String) async throws {
            let apps = try Apps()
            let context = UIOpenURLContext(forTests: try await apps.answer(to: apps.receiver.request()), from: app)
            guard app == Apps.lite else {
                await #expect(throws: HandoffError.unexpectedApp(app)) { try await apps.receiver.receive(context) }
                return
            }
            guard case .offer = try await apps.receiver.receive(context) else {
                Issue.record("no offer")
                return
            }
        }

        @Test("a scene's file is read in its scope")
        func file() async throws {
            let apps = try Apps()
            let file = try await apps.sender.makeFile()
            SecurityScopes.forTests.reset([file])
            _ = try await apps.receiver.receive(UIOpenURLContext(forTests: file, from: nil))
            #expect(SecurityScopes.forTests.accesses == ["start", "stop"])
        }

        @Test("the sender's address comes from the app that the system names, too")
        func sender() async throws {
            let apps = try Apps()
            let request = try await apps.receiver.request()
            _ = try await apps.sender.receive(UIOpenURLContext(forTests: request, from: Apps.paid))
            await #expect(throws: HandoffError.unexpectedApp("com.example.other")) {
                try await apps.sender.receive(UIOpenURLContext(forTests: request, from: "com.example.other"))
            }
        }

        @Test("a scene's address from an app that the system doesn't name counts only if the call accepts that")
        func unnamed() async throws {
            let apps = try Apps()
            let request = try await apps.receiver.request()
            let asked = UIOpenURLContext(forTests: request, from: nil)
            await #expect(throws: HandoffError.unexpectedApp(nil)) { try await apps.sender.receive(asked) }
            guard case .request = try await apps.sender.receive(asked, acceptsUnnamedApps: true) else {
                Issue.record("no request")
                return
            }
            let answered = UIOpenURLContext(forTests: try await apps.answer(to: request), from: nil)
            await #expect(throws: HandoffError.unexpectedApp(nil)) { try await apps.receiver.receive(answered) }
            guard case .offer = try await apps.receiver.receive(answered, acceptsUnnamedApps: true) else {
                Issue.record("no offer")
                return
            }
        }

        @Test("an app that the user doesn't want to open isn't missing, if the Info.plist has its scheme")
        func declined() async throws {
            let (apps, application) = (try Apps(), UIApplication.forTests)
            defer { application.forgetOtherApps() }
            let url = try await apps.receiver.request()
            (application.installedSchemes, application.declinesOpening) = (["trestle-lite"], true)
            await #expect(throws: HandoffError.otherAppMissing) { try await application.openOtherApp(url) }
            application.queriesSchemes = ["trestle-lite"]
            await #expect(throws: HandoffError.openingDeclined) { try await application.openOtherApp(url) }
            application.installedSchemes = []
            await #expect(throws: HandoffError.otherAppMissing) { try await application.openOtherApp(url) }
        }

        @Test("an address that no app opens says that the other app is missing")
        func otherApp() async throws {
            let (apps, application) = (try Apps(), UIApplication.forTests)
            defer { application.forgetOtherApps() }
            let url = try await apps.receiver.request()
            await #expect(throws: HandoffError.otherAppMissing) { try await application.openOtherApp(url) }
            application.installedSchemes = ["trestle-lite"]
            try await application.openOtherApp(url)
            #expect(application.openedURLs == [url, url])
        }

        @Test("a universal link that no app opens isn't opened in a browser either")
        func universalLink() async throws {
            let (apps, application) = (try Apps { route, _ in route.domain = "example.com" }, UIApplication.forTests)
            defer { application.forgetOtherApps() }
            let url = try await apps.receiver.request()
            await #expect(throws: HandoffError.otherAppMissing) { try await application.openOtherApp(url) }
            application.associatedDomains = ["example.com"]
            try await application.openOtherApp(url)
        }
    }
}
#endif
