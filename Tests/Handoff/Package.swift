// swift-tools-version: 6.2

// A process that sends and receives packages, so that tests can end it at any system call.

import PackageDescription

let package = Package(
    name: "Handoff",
    targets: [
        .target(
            name: "ReferralBridge",
            path: "Sources/ReferralBridge",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "Hashing", path: "Sources/Hashing"),
        .target(name: "DataHandoff", dependencies: ["ReferralBridge", "Hashing"], path: "Sources/DataHandoff"),
        .executableTarget(name: "probe", dependencies: ["DataHandoff", "ReferralBridge"], path: "Probe"),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
