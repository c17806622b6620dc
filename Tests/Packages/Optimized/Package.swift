// swift-tools-version: 6.2

// What has to run often, or with Apple's code paths: everything here is optimized, can be looked into by tests, and has zlib and
// libcrypto in the place of Compression and CryptoKit, and the stand-in of CloudKit. Histories of a launch and of a shop, a town,
// the tests of handoffs and signatures, a program that attacks handoffs, and processes that tests end at any system call.

import PackageDescription

let package = Package(
    name: "Optimized",
    targets: [
        .systemLibrary(name: "Crypto", path: "Frameworks/Crypto"),
        .target(name: "CryptoKit", dependencies: ["Crypto"], path: "Frameworks/CryptoKit"),
        .target(name: "Compression", path: "Frameworks/Compression", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "FoundationStandIn", path: "Frameworks/Foundation"),
        .target(name: "CloudKit", dependencies: ["FoundationStandIn"], path: "Frameworks/CloudKit"),
        .target(name: "ReferralFoundation", path: "Sources/ReferralFoundation"),
        .target(
            name: "ReferralBasics",
            dependencies: ["ReferralFoundation", "CryptoKit"],
            path: "Sources/ReferralBasics",
            exclude: ["PrivacyInfo.xcprivacy"]
        ),
        .target(
            name: "ReferralBridge",
            dependencies: ["ReferralInviteCodes", "ReferralClip"],
            path: "Sources/ReferralBridge",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "ReferralClip", path: "Sources/ReferralClip"),
        .target(
            name: "ReferralSigning",
            dependencies: ["ReferralBasics", "CryptoKit"],
            path: "Sources/ReferralSigning"
        ),
        .target(
            name: "DataHandoff",
            dependencies: ["ReferralBasics", "CryptoKit", "Compression"],
            path: "Sources/DataHandoff",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "UnlockCatalog", dependencies: ["ReferralBasics"], path: "Sources/UnlockCatalog"),
        .target(name: "ReferralInviteCodes", dependencies: ["ReferralBasics"], path: "Sources/ReferralInviteCodes"),
        .target(
            name: "Unlocks",
            dependencies: ["UnlockCatalog", "ReferralInviteCodes"],
            path: "Sources/Unlocks",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy", "Shop/Localizable.xcstrings"]
        ),
        .target(name: "UnlocksTesting", dependencies: ["Unlocks"], path: "Sources/UnlocksTesting"),
        .target(
            name: "ReferralInvitations",
            dependencies: ["ReferralInviteCodes", "CloudKit"],
            path: "Sources/ReferralInvitations",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy", "Views/Localizable.xcstrings"]
        ),
        .target(name: "SimulatedRuntime", path: "SimulatedRuntime"),
        .target(name: "RuntimeStart", path: "RuntimeStart", publicHeadersPath: "."),
        .target(
            name: "TestSupport",
            dependencies: ["ReferralBridge", "SimulatedRuntime", "RuntimeStart"],
            path: "TestSupport"
        ),
        .target(name: "Calls", path: "Calls"),
        .executableTarget(
            name: "attack",
            dependencies: ["Calls", "DataHandoff", "ReferralBridge", "SimulatedRuntime"],
            path: "Attack"
        ),
        .executableTarget(
            name: "handoff-probe",
            dependencies: ["DataHandoff", "ReferralBridge"],
            path: "HandoffProbe"
        ),
        .executableTarget(name: "shop-probe", dependencies: ["Unlocks", "ReferralBridge"], path: "ShopProbe"),
        .executableTarget(
            name: "invites-probe",
            dependencies: ["ReferralInvitations", "ReferralBridge"],
            path: "InvitesProbe"
        ),
        .testTarget(
            name: "NativeTests",
            dependencies: ["DataHandoff", "ReferralBridge", "CryptoKit"],
            path: "NativeTests"
        ),
        // The same tests as without the frameworks.
        .testTarget(
            name: "SigningTests",
            dependencies: ["ReferralBridge", "ReferralSigning", "CryptoKit"],
            path: "SigningTests",
            exclude: ["ed25519.json"]
        ),
        .testTarget(
            name: "DataHandoffTests",
            dependencies: ["DataHandoff", "ReferralBridge", "Compression", "CryptoKit", "TestSupport"],
            path: "DataHandoffTests"
        ),
        .testTarget(
            name: "InvitationsTests",
            dependencies: ["ReferralInvitations", "ReferralBridge", "SimulatedRuntime", "TestSupport"],
            path: "InvitationsTests"
        ),
        .testTarget(
            name: "TownTests",
            dependencies: [
                "ReferralInvitations", "Unlocks", "UnlocksTesting", "ReferralBridge", "CloudKit", "SimulatedRuntime",
            ],
            path: "TownTests"
        ),
        .testTarget(
            name: "UnlocksTests",
            dependencies: [
                "Unlocks", "UnlocksTesting", "ReferralBridge", "ReferralSigning", "SimulatedRuntime", "TestSupport",
            ],
            path: "UnlocksTests"
        ),
        .testTarget(
            name: "ReferralBridgeTests",
            dependencies: ["ReferralBridge", "SimulatedRuntime", "TestSupport"],
            path: "ReferralBridgeTests"
        ),
    ]
)

// What doesn't simulate anything is compiled in a third of the time if it isn't optimized itself.
let unoptimized = ["NativeTests", "SigningTests", "DataHandoffTests", "handoff-probe", "shop-probe", "invites-probe"]

for target in package.targets where !["Crypto", "Compression", "Calls", "RuntimeStart"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // Tests look inside, also when the libraries are optimized. What LLVM does after Swift's own optimizer takes a sixth of the
        // build, and the histories run as fast without it.
        .unsafeFlags(["-enable-testing", "-Xfrontend", "-disable-llvm-optzns"]),
    ]
    if unoptimized.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
    }
}
