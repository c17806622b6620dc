// swift-tools-version: 6.2

// DataHandoff as on Apple's platforms, optimized, and a program that attacks it: with hostile packages and stored files, with
// file calls that fail, and with power that is lost.

import PackageDescription

let package = Package(
    name: "Attack",
    targets: [
        .systemLibrary(name: "Crypto", path: "Frameworks/Crypto"),
        .target(name: "CryptoKit", dependencies: ["Crypto"], path: "Frameworks/CryptoKit"),
        .target(name: "Compression", path: "Frameworks/Compression", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "ReferralBridge",
            dependencies: ["ReferralClip", "CryptoKit"],
            path: "Sources/ReferralBridge",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "DurableFiles", path: "Sources/DurableFiles"),
        .target(name: "ReferralClip", path: "Sources/ReferralClip"),
        .target(
            name: "DataHandoff",
            dependencies: ["ReferralBridge", "DurableFiles", "CryptoKit", "Compression"],
            path: "Sources/DataHandoff",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy", "Offer/Localizable.xcstrings"]
        ),
        .target(name: "SimulatedRuntime", path: "SimulatedRuntime"),
        .target(name: "Calls", path: "Calls"),
        .executableTarget(
            name: "attack",
            dependencies: ["Calls", "DataHandoff", "ReferralBridge", "SimulatedRuntime"],
            path: "Attack"
        ),
    ]
)

for target in package.targets where !["Crypto", "Compression", "Calls"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
