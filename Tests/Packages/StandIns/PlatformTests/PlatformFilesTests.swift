import AccessLog
import DarwinStandIn
import Foundation
import ReferralBridge
import Testing

extension PlatformTests {
    @MainActor
    struct PlatformFilesTests {
        @Test("the system's clock tells how long the device is up, in seconds and time asleep included")
        func uptime() {
            #expect(DeviceClock.system.uptime() == Double(nanosecondsSinceStart) / 1_000_000_000)
        }

        /// Foundation for Linux hands Dispatch on, and so no compiler here misses the import. Apple's needn't.
        @Test("a file that names a queue imports Dispatch itself")
        func dispatch() throws {
            let sources = URL(filePath: #filePath).appending(path: "../../../../../Sources/ReferralBridge").standardized
            let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
            let swiftFiles = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            #expect(swiftFiles.count > 20)
            for file in swiftFiles {
                let text = try String(contentsOf: file, encoding: .utf8)
                if ["DispatchQueue", "DispatchSemaphore", "DispatchTime"].contains(where: text.contains) {
                    #expect(text.contains("\nimport Dispatch\n"), "\(file.lastPathComponent)")
                }
            }
        }
    }
}
