import Foundation
import Testing

@testable import DataHandoff

extension PlatformTests {
    struct HandoffDefaultsTests {
        /// User defaults of a test's own.
        private func withDefaults(_ body: (UserDefaults) async throws -> Void) async throws {
            let name = "handoff-\(UUID().uuidString)"
            let defaults = try #require(UserDefaults(suiteName: name))
            defer { defaults.removePersistentDomain(forName: name) }
            try await body(defaults)
        }

        private let values: [String: Any] = [
            "theme": "dark", "sorts": true, "count": 3, "ratio": 0.5, "day": Date(timeIntervalSinceReferenceDate: 25),
            "bytes": Data([0, 255]), "boards": ["Garden", "Kitchen"], "open": ["Garden": ["page": 7, "isBig": false]],
        ]

        private func carry(_ sent: UserDefaults, to accepted: UserDefaults) async throws -> HandoffReceipt {
            let keys = Set(values.keys)
            let apps = try Apps(
                sending: HandoffDefaults(keys, in: sent),
                accepting: HandoffDefaults(keys, in: accepted)
            )
            return try await apps.receiver.receive(fileAt: apps.sender.makeFile()).install(into: apps.documents)
        }

        @Test("user defaults of every type arrive as they were")
        func types() async throws {
            try await withDefaults { sent in
                try await withDefaults { accepted in
                    for (key, value) in values { sent.set(value, forKey: key) }
                    accepted.set("light", forKey: "theme")
                    accepted.set("kept", forKey: "other")
                    try await carry(sent, to: accepted).finish()
                    for key in values.keys {
                        let (old, new) = (
                            sent.object(forKey: key) as? NSObject, accepted.object(forKey: key) as? NSObject
                        )
                        #expect(old == new, "\(key)")
                    }
                    #expect(accepted.string(forKey: "theme") == "dark")
                    #expect(accepted.bool(forKey: "sorts"))
                    #expect(accepted.double(forKey: "ratio") == 0.5)
                    #expect(accepted.string(forKey: "other") == "kept")
                }
            }
        }

        @Test("what was there before can be put back")
        func restored() async throws {
            try await withDefaults { defaults in
                defaults.set(["a": 1], forKey: "boards")
                let own = HandoffDefaults(Set(values.keys), in: defaults)
                let list = try PropertyList.data(["boards": [true, 1.0] as [Any], "theme": "dark"] as [String: Any])
                let change = try #require(try own.change(to: list))
                try own.set(change)
                #expect(defaults.string(forKey: "theme") == "dark")
                try own.restore(change)
                #expect(defaults.object(forKey: "theme") == nil)
                #expect(defaults.object(forKey: "boards") as? [String: Int] == ["a": 1])
            }
        }
    }
}
