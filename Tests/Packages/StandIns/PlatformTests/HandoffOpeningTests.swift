import Foundation
import FoundationStandIn
import SwiftUI
import TestSupport
import Testing
import UniformTypeIdentifiers

@testable import DataHandoff

extension PlatformTests {
    @MainActor
    struct HandoffOpeningTests {
        private typealias Arrived = Result<HandoffReceiver.Message, HandoffError>

        /// What a view of the receiver's hears of an address.
        private func arrived(
            _ url: URL,
            at receiver: HandoffReceiver,
            acceptsUnnamedApps: Bool = true,
            as delivery: Rendering.Delivery = .address
        ) async -> [Arrived] {
            var results: [Arrived] = []
            let empty = URL(string: "trestle://handoff?")
            let view = Text("x").onHandoff(receiver, acceptsUnnamedApps: acceptsUnnamedApps) { results.append($0) }
            let rendering = Rendering(view)
            #expect(rendering.texts == ["x"])
            for url in [url, empty].compactMap(\.self) { rendering.deliver(url, as: delivery) }
            // The last one is a link that carries nothing, so it comes to an error. A file may take longer.
            await until("every address comes to something") {
                results.contains { $0.error == .missingPayload } && (results.count == 2 || !url.isFileURL)
            }
            return results.filter { $0.error != .missingPayload }
        }

        @Test("an address that SwiftUI brings names no app, and counts only if the call accepts that")
        func unnamed() async throws {
            for isAccepted in [false, true] {
                let apps = try Apps()
                let answer = try await apps.answer(to: apps.receiver.request())
                let results = await arrived(answer, at: apps.receiver, acceptsUnnamedApps: isAccepted)
                #expect(results.map(\.error) == [isAccepted ? nil : .unexpectedApp(nil)])
            }
        }

        @Test(
            "an answer counts once, whichever way the system delivers it, or if it comes both ways",
            arguments: Rendering.Delivery.allCases
        )
        func deliveries(_ delivery: Rendering.Delivery) async throws {
            for domain in [nil, "example.com"] {
                let apps = try Apps { route, _ in route.domain = domain }
                let answer = try await apps.answer(to: apps.receiver.request())
                let results = await arrived(answer, at: apps.receiver, as: delivery)
                #expect(results.map(\.error) == [nil])
            }
        }

        @Test("a message that takes a while calls the action of the last body")
        func lastAction() async throws {
            let apps = try Apps()
            let answer = try await apps.answer(to: apps.receiver.request())
            let (calls, call) = AsyncStream.makeStream(of: String.self)
            func view(_ name: String) -> some View {
                Text("x").onHandoff(apps.receiver, acceptsUnnamedApps: true) { _ in call.yield(name) }
            }
            let rendering = Rendering(view("first"))
            rendering.deliver(answer)
            _ = Rendering(view("last"), after: rendering)
            var names = calls.makeAsyncIterator()
            #expect(await names.next() == "last")
        }

        @Test("a file from any app counts, and is read in its scope, which is left once")
        func file() async throws {
            let apps = try Apps()
            let file = try await apps.sender.makeFile()
            for isScoped in [true, false] {
                SecurityScopes.forTests.reset(isScoped ? [file] : [])
                let result = try #require(await arrived(file, at: apps.receiver).first)
                #expect(result.error == nil)
                #expect(SecurityScopes.forTests.accesses == (isScoped ? ["start", "stop"] : ["start"]))
            }
        }

        @Test("a file is read with a coordinator, from where it says, in the file's scope and on no task's thread")
        func coordinated() async throws {
            let apps = try Apps()
            let file = try await apps.sender.makeFile()
            let placeholder = file.appendingPathExtension("icloud")
            SecurityScopes.forTests.reset([placeholder])
            FileProviders.forTests.reset([placeholder: .success(file)])
            let result = try #require(await arrived(placeholder, at: apps.receiver).first)
            #expect(result.error == nil)
            #expect(FileProviders.forTests.accesses == ["start", "begin", "end", "stop"])
            #expect(!FileProviders.forTests.hasBlockedTask)
        }

        @Test("a file that can't be downloaded is an error, with the coordinator's reason")
        func coordinatorFails() async throws {
            let apps = try Apps()
            let file = try await apps.sender.makeFile()
            let reason = [NSLocalizedDescriptionKey: "The device is offline."]
            let error = NSError(domain: NSCocoaErrorDomain, code: 4355, userInfo: reason)
            FileProviders.forTests.reset([file: .failure(error)])
            await #expect(
                throws: HandoffError.fileFailed(path: file.lastPathComponent, reason: "The device is offline.")
            ) {
                try await apps.receiver.receive(fileAt: file)
            }
            FileProviders.forTests.reset()
            _ = try await apps.receiver.receive(fileAt: file)
        }

        @Test("a file that is too large is an error before it is read, wherever it is")
        func tooLarge() async throws {
            let apps = try Apps(maximumSize: 1)
            let file = try await apps.sender.makeFile()
            let large = file.appendingPathExtension("large")
            try Data(count: 6 << 20).write(to: large)
            FileProviders.forTests.reset([file: .success(large)])
            await #expect(throws: HandoffError.tooLarge) { try await apps.receiver.receive(fileAt: file) }
            FileProviders.forTests.reset()
        }

        @Test("an address that isn't a handoff link is left for other code")
        func foreign() async throws {
            let apps = try Apps()
            #expect(await arrived(try #require(URL(string: "trestle://open?ed=x")), at: apps.receiver).isEmpty)
        }

        @Test("a sender hears of requests, and of no other address")
        func sender() async throws {
            let apps = try Apps()
            var results: [Result<HandoffSender.Message, HandoffError>] = []
            let view = Text("x").onHandoff(apps.sender, acceptsUnnamedApps: true) { results.append($0) }
            let rendering = Rendering(view)
            for url in [try #require(URL(string: "trestle-lite://open")), try await apps.receiver.request()] {
                rendering.deliver(url, as: .addressAndActivity)
            }
            await until("the request comes to something") { !results.isEmpty }
            guard case .success(.request) = results.first else {
                Issue.record("\(results)")
                return
            }
            #expect(results.count == 1)
        }

        @Test("a receiver's files have a type of its own")
        func fileType() throws {
            let route = HandoffRoute(from: Apps.lite, to: Apps.paid, scheme: "trestle", returnScheme: "trestle-lite")
            #expect(UTType.handoff(route).identifier == "com.example.trestle.handoff")
            #expect(!UTType.handoff(route).isExported, "only the receiver's Info.plist exports it")
            for (app, isReceiver) in [(Apps.paid, true), (Apps.lite, false), (nil, false)] {
                let type = UTType.handoff(route, in: app)
                #expect(type.identifier == "com.example.trestle.handoff")
                #expect(type.isExported == isReceiver)
            }
        }
    }
}

private extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
