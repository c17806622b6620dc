import Foundation
import FoundationStandIn
import Testing

@testable import DataHandoff

extension PlatformTests {
    @MainActor
    struct HandoffOpeningTests {
        @Test("a file from any app counts, and is read in its scope, which is left once")
        func file() async throws {
            let apps = try Apps()
            let file = try await apps.sender.makeFile()
            for isScoped in [true, false] {
                FileProviders.forTests.reset(scopes: isScoped ? [file] : [])
                _ = try await apps.receiver.receive(file, from: nil)
                let scope = isScoped ? ["stop"] : []
                #expect(FileProviders.forTests.accesses == ["start", "begin", "end"] + scope)
            }
        }

        @Test("a file is read with a coordinator, from where it says, in the file's scope and on no task's thread")
        func coordinated() async throws {
            let apps = try Apps()
            let file = try await apps.sender.makeFile()
            let placeholder = file.appendingPathExtension("icloud")
            FileProviders.forTests.reset([placeholder: .success(file)], scopes: [placeholder])
            _ = try await apps.receiver.receive(placeholder, from: nil)
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
    }
}
