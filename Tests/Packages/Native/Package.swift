// swift-tools-version: 6.2

// DataHandoff, and what checks signatures, as on Apple's platforms: with zlib in the place of Compression, and libcrypto in
// that of CryptoKit. And a process that sends and receives packages, so that tests can end it at any system call.

import PackageDescription

let package = Package(
    name: "Native",
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
        .target(name: "Signing", dependencies: ["ReferralBridge", "CryptoKit"], path: "Sources/Signing"),
        .executableTarget(name: "probe", dependencies: ["DataHandoff", "ReferralBridge"], path: "Probe"),
        .testTarget(
            name: "NativeTests",
            dependencies: ["DataHandoff", "ReferralBridge", "CryptoKit"],
            path: "NativeTests"
        ),
        // The same tests as without the frameworks.
        .testTarget(
            name: "SigningTests",
            dependencies: ["ReferralBridge", "Signing", "CryptoKit"],
            path: "SigningTests",
            exclude: ["ed25519.json"]
        ),
        .testTarget(
            name: "DataHandoffTests",
            dependencies: ["DataHandoff", "ReferralBridge", "Compression", "CryptoKit"],
            path: "DataHandoffTests"
        ),
    ]
)

for target in package.targets where !["Crypto", "Compression"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
