// swift-tools-version: 6.2

// The histories of a shop and of a launch, the town, and tests that only optimized code runs in time. The town's guestbook is in
// the stand-in of CloudKit. And processes with a shop and with invitations, so that tests can end them at any system call.

import PackageDescription

let package = Package(
    name: "Optimized",
    targets: [
        .target(
            name: "ReferralBridge",
            dependencies: ["ReferralClip"],
            path: "Sources/ReferralBridge",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "DurableFiles", path: "Sources/DurableFiles"),
        .target(name: "ReferralClip", path: "Sources/ReferralClip"),
        .target(name: "Signing", dependencies: ["ReferralBridge"], path: "Sources/Signing"),
        .target(name: "UnlockCatalog", dependencies: ["ReferralBridge"], path: "Sources/UnlockCatalog"),
        .target(
            name: "Unlocks",
            dependencies: ["ReferralBridge", "UnlockCatalog", "DurableFiles"],
            path: "Sources/Unlocks",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy", "Shop/Localizable.xcstrings"],
            // Its tests look inside, also when they are optimized.
            swiftSettings: [.unsafeFlags(["-enable-testing"])]
        ),
        .target(
            name: "UnlocksTesting",
            dependencies: ["ReferralBridge", "Unlocks"],
            path: "Sources/UnlocksTesting"
        ),
        .target(
            name: "Invitations",
            dependencies: ["ReferralBridge", "DurableFiles", "CloudKit"],
            path: "Sources/Invitations",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy", "Views/Localizable.xcstrings"]
        ),
        .target(name: "FoundationStandIn", path: "Frameworks/Foundation"),
        .target(name: "CloudKit", dependencies: ["FoundationStandIn"], path: "Frameworks/CloudKit"),
        .target(name: "SimulatedRuntime", path: "SimulatedRuntime"),
        .executableTarget(name: "probe", dependencies: ["Unlocks", "ReferralBridge"], path: "Probe"),
        .executableTarget(name: "invites", dependencies: ["Invitations", "ReferralBridge"], path: "InvitesProbe"),
        .testTarget(
            name: "InvitationsTests",
            dependencies: ["Invitations", "Unlocks", "UnlocksTesting", "ReferralBridge", "SimulatedRuntime"],
            path: "InvitationsTests"
        ),
        .testTarget(
            name: "TownTests",
            dependencies: [
                "Invitations", "Unlocks", "UnlocksTesting", "ReferralBridge", "CloudKit", "SimulatedRuntime",
            ],
            path: "TownTests"
        ),
        .testTarget(
            name: "UnlocksTests",
            dependencies: [
                "Unlocks", "UnlocksTesting", "ReferralBridge", "DurableFiles", "Signing", "SimulatedRuntime",
            ],
            path: "UnlocksTests"
        ),
        .testTarget(
            name: "ReferralBridgeTests",
            dependencies: ["ReferralBridge", "SimulatedRuntime"],
            path: "ReferralBridgeTests"
        ),
    ]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
