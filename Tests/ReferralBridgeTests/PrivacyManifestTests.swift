import Foundation
import Testing

struct PrivacyManifestTests {
    /// Whether a library calls what it gives a reason for, and the other way round, is checked in
    /// `Tests/Availability/required_reasons.py`, on object code.
    @Test(
        "each library's privacy manifest declares no tracking, nothing collected, and a reason for each API that needs one",
        arguments: [
            ("ReferralBridge", [["NSPrivacyAccessedAPICategoryUserDefaults", "CA92.1"]]),
            (
                "ReferralAppSupport",
                [
                    ["NSPrivacyAccessedAPICategoryFileTimestamp", "C617.1"],
                    // clock_gettime_nsec_np() isn't on Apple's list, but tells the same as systemUptime, which is.
                    ["NSPrivacyAccessedAPICategorySystemBootTime", "35F9.1"],
                ]
            ),
            (
                "DataHandoff",
                [
                    ["NSPrivacyAccessedAPICategoryFileTimestamp", "C617.1", "3B52.1"],
                    ["NSPrivacyAccessedAPICategoryUserDefaults", "CA92.1"],
                ]
            ),
            (
                "Unlocks",
                [
                    ["NSPrivacyAccessedAPICategoryFileTimestamp", "C617.1"],
                    ["NSPrivacyAccessedAPICategoryDiskSpace", "E174.1"],
                ]
            ),
            ("ReferralInvitations", []),
        ]
    )
    func manifest(_ library: String, _ reasons: [[String]]) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/\(library)/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        let manifest = try #require(list as? [String: Any])
        #expect(manifest.count == 4)
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)

        let accessed = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let declared = accessed.map { type in
            [type["NSPrivacyAccessedAPIType"] as? String] + (type["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? [])
        }
        #expect(declared == reasons)
    }
}
