// swift-tools-version: 6.2

import PackageDescription

// Only Apple's platforms read these. Elsewhere a resource would bring in all of Foundation for its bundle.
let resources = [
    "ReferralAppSupport": ["PrivacyInfo.xcprivacy"],
    "ReferralBridge": ["PrivacyInfo.xcprivacy"],
    "DataHandoff": ["PrivacyInfo.xcprivacy"],
    "Unlocks": ["PrivacyInfo.xcprivacy", "Shop/Localizable.xcstrings"],
    "ReferralInvitations": ["PrivacyInfo.xcprivacy", "Views/Localizable.xcstrings"],
]

let package = Package(
    name: "ReferralBridge",
    defaultLocalization: "en",
    platforms: [.iOS(.v15), .macOS(.v13), .macCatalyst(.v15), .visionOS(.v1)],
    products: [
        .library(name: "ReferralBridge", targets: ["ReferralBridge"]),
        .library(name: "ReferralClip", targets: ["ReferralClip"]),
        .library(name: "DataHandoff", targets: ["DataHandoff"]),
        .library(name: "Unlocks", targets: ["Unlocks"]),
        .library(name: "UnlocksTesting", targets: ["UnlocksTesting"]),
        .library(name: "ReferralInvitations", targets: ["ReferralInvitations"]),
        .executable(name: "referral-tool", targets: ["referral-tool"]),
    ],
    targets: [
        .target(name: "ReferralFoundation"),
        .target(name: "ReferralBasics", dependencies: ["ReferralFoundation"]),
        .target(name: "ReferralAppSupport", dependencies: ["ReferralBasics"]),
        .target(name: "ReferralClip"),
        .target(name: "ReferralBridge", dependencies: ["ReferralAppSupport", "ReferralInviteCodes", "ReferralClip"]),
        .target(name: "DataHandoff", dependencies: ["ReferralAppSupport"]),
        .target(name: "UnlockCatalog", dependencies: ["ReferralBasics"]),
        .target(name: "ReferralInviteCodes", dependencies: ["ReferralBasics"]),
        .target(name: "Unlocks", dependencies: ["ReferralAppSupport", "UnlockCatalog", "ReferralInviteCodes"]),
        .target(name: "UnlocksTesting", dependencies: ["Unlocks"]),
        .target(name: "ReferralInvitations", dependencies: ["ReferralAppSupport", "ReferralInviteCodes"]),
        .target(name: "ReferralSigning", dependencies: ["ReferralBasics"]),
        .target(name: "ReferralSiteCheck", dependencies: ["ReferralBasics", "WebFiles"]),
        .target(name: "WebFiles"),
        .executableTarget(
            name: "referral-tool",
            dependencies: ["UnlockCatalog", "ReferralSigning", "ReferralSiteCheck", "WebFiles"]
        ),
        .target(name: "SimulatedRuntime", path: "Tests/SimulatedRuntime"),
        .target(name: "RuntimeStart", path: "Tests/RuntimeStart", publicHeadersPath: "."),
        .target(
            name: "TestSupport",
            dependencies: ["ReferralBridge", "SimulatedRuntime", "RuntimeStart"],
            path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "ReferralBridgeTests",
            dependencies: ["ReferralBridge", "ReferralSigning", "SimulatedRuntime", "TestSupport"]
        ),
        .testTarget(
            name: "SigningTests",
            dependencies: ["ReferralSigning"],
            exclude: ["ed25519.json"]
        ),
        .testTarget(name: "DataHandoffTests", dependencies: ["DataHandoff", "TestSupport"]),
        .testTarget(
            name: "UnlocksTests",
            dependencies: [
                "Unlocks", "UnlocksTesting", "ReferralBridge", "ReferralSigning", "SimulatedRuntime", "TestSupport",
            ],
            exclude: ["Catalog/catalog-server.py"]
        ),
        .testTarget(
            name: "InvitationsTests",
            dependencies: [
                "ReferralInvitations", "Unlocks", "UnlocksTesting", "DataHandoff", "ReferralBridge", "SimulatedRuntime",
                "TestSupport",
            ],
            exclude: ["guestbook-server.py"]
        ),
        .testTarget(
            name: "SiteCheckTests",
            dependencies: ["ReferralSiteCheck", "TestSupport"],
            exclude: ["page.html", "mistakes.txt", "site.txt", "field.txt", "pages.txt"]
        ),
        .testTarget(
            name: "ReferralToolTests",
            dependencies: ["referral-tool", "SimulatedRuntime", "TestSupport"]
        ),
    ],
    cLanguageStandard: .c2x
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    guard let resources = resources[target.name] else { continue }
    // Not `os(macOS)`: this asks about the system that reads the manifest, and Swift Playgrounds does that on an iPad.
    #if canImport(Darwin)
    target.resources = resources.map { .process($0) }
    #else
    target.exclude = resources
    #endif
}
