// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ReferralBridge",
    platforms: [.iOS(.v15), .macOS(.v13), .macCatalyst(.v15), .visionOS(.v1)],
    products: [
        .library(name: "ReferralBridge", targets: ["ReferralBridge"]),
        .executable(name: "referral-tool", targets: ["referral-tool"]),
    ],
    targets: [
        .target(
            name: "ReferralBridge",
            resources: [
                // Links to the files under web/, which are the only copies.
                .embedInCode("CopySnippet/referral-bridge.js"),
                .embedInCode("CopySnippet/referral-bridge.min.js"),
            ]
        ),
        .executableTarget(name: "referral-tool", dependencies: ["ReferralBridge"]),
        .testTarget(name: "ReferralBridgeTests", dependencies: ["ReferralBridge"]),
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
