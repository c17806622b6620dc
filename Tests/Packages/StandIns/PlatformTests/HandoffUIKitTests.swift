#if canImport(UIKit)
import DataHandoff
import Foundation
import Testing
import UIKit

extension PlatformTests {
    @MainActor
    struct HandoffUIKitTests {
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
