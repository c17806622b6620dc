import DataHandoff
import Foundation
import ReferralBridge
import Testing

struct SealingTests {
    private let route = HandoffRoute(from: Apps.lite, to: Apps.paid, scheme: "trestle", returnScheme: "trestle-lite")

    @Test("by default the system seals, and where it can't, there is no app that sends or receives openly")
    func system() async throws {
        let storage = FileManager.default.temporaryDirectory.appending(path: "handoff-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: storage) }
        #if canImport(CryptoKit)
        let request = try await HandoffReceiver(route, schemas: 1...1, storage: storage).request()
        #expect(request.absoluteString.contains("&k="))
        _ = try HandoffSender(route, storage: storage) { HandoffContents(schema: 1, files: []) }
        #else
        #expect(throws: HandoffError.noSealer) { try HandoffReceiver(route, schemas: 1...1, storage: storage) }
        #expect(throws: HandoffError.noSealer) {
            try HandoffSender(route, storage: storage) { HandoffContents(schema: 1, files: []) }
        }
        #expect(!FileManager.default.fileExists(atPath: storage.path))
        #endif
    }
}
