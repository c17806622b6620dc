// swift-tools-version: 6.2

import PackageDescription

// Links to the files under web/.
let landingPage: [Resource] = [
    .embedInCode("Page/landing.html"),
    .embedInCode("Page/landing.css"),
    .embedInCode("Page/landing.js"),
    .embedInCode("Page/landing-sentences.json"),
    .embedInCode("Page/pages.css"),
    .embedInCode("Page/qr-code.min.js"),
]
var resources: [Resource] = []
var excluded: [String] = []

// Only Apple's platforms read a privacy manifest. Elsewhere a resource would bring in all of Foundation for its bundle.
#if os(macOS)
resources.append(.process("PrivacyInfo.xcprivacy"))
#else
excluded.append("PrivacyInfo.xcprivacy")
#endif

let package = Package(
    name: "ReferralBridge",
    platforms: [.iOS(.v15), .macOS(.v13), .macCatalyst(.v15), .visionOS(.v1)],
    products: [
        .library(name: "ReferralBridge", targets: ["ReferralBridge"]),
        .library(name: "DataHandoff", targets: ["DataHandoff"]),
        .executable(name: "referral-tool", targets: ["referral-tool"]),
    ],
    targets: [
        .target(name: "ReferralBridge", exclude: excluded, resources: resources),
        .target(name: "Hashing"),
        .target(name: "DataHandoff", dependencies: ["ReferralBridge", "Hashing"]),
        .target(name: "Unlocks", dependencies: ["ReferralBridge"]),
        .target(name: "SiteCheck", dependencies: ["ReferralBridge", "Hashing"]),
        .executableTarget(
            name: "referral-tool",
            dependencies: ["ReferralBridge", "DataHandoff", "Hashing", "SiteCheck"],
            resources: landingPage
        ),
        .testTarget(name: "ReferralBridgeTests", dependencies: ["ReferralBridge"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "DataHandoffTests", dependencies: ["DataHandoff"]),
        .testTarget(name: "UnlocksTests", dependencies: ["Unlocks"]),
        .testTarget(name: "SiteCheckTests", dependencies: ["SiteCheck"]),
        .testTarget(name: "ReferralToolTests", dependencies: ["referral-tool"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
