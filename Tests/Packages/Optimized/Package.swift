// swift-tools-version: 6.2

// What has to run often, or with Apple's code paths: everything here is optimized, can be looked into by tests, and has zlib and
// libcrypto in the place of Compression and CryptoKit, and the stand-in of CloudKit. Histories of a launch and of a shop, a town,
// the tests of handoffs and signatures, and a program that attacks handoffs.

import PackageDescription

func standIn(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: "Frameworks/\(path ?? name)")
}

func module(_ name: String, _ dependencies: [Target.Dependency] = [], without: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(name)", exclude: without)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], without: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: name, exclude: without)
}

let documented = ["Documentation.docc", "PrivacyInfo.xcprivacy"]

let package = Package(
    name: "Optimized",
    targets: [
        .systemLibrary(name: "Crypto", path: "Frameworks/Crypto"),
        standIn("CryptoKit", ["Crypto"]),
        .target(name: "Compression", path: "Frameworks/Compression", linkerSettings: [.linkedLibrary("z")]),
        standIn("FoundationStandIn", path: "Foundation"),
        standIn("CloudKit", ["FoundationStandIn"]),
        module("ReferralFoundation"),
        module("ReferralBasics", ["ReferralFoundation", "CryptoKit"]),
        module("ReferralAppSupport", ["ReferralBasics"], without: ["PrivacyInfo.xcprivacy"]),
        module("ReferralBridge", ["ReferralAppSupport", "ReferralInviteCodes", "ReferralClip"], without: documented),
        module("ReferralClip"),
        module("ReferralSigning", ["ReferralBasics", "CryptoKit"]),
        module("DataHandoff", ["ReferralAppSupport", "CryptoKit", "Compression"], without: documented),
        module("UnlockCatalog", ["ReferralBasics"]),
        module("ReferralInviteCodes", ["ReferralBasics"]),
        module(
            "Unlocks",
            ["ReferralAppSupport", "UnlockCatalog", "ReferralInviteCodes"],
            without: documented + ["Shop/Localizable.xcstrings"]
        ),
        module("UnlocksTesting", ["Unlocks"]),
        module(
            "ReferralInvitations",
            ["ReferralAppSupport", "ReferralInviteCodes", "CloudKit"],
            without: documented + ["Views/Localizable.xcstrings"]
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
        // The same tests as without the frameworks.
        tests("SigningTests", ["ReferralBridge", "ReferralSigning", "CryptoKit"], without: ["ed25519.json"]),
        tests("DataHandoffTests", ["DataHandoff", "ReferralBridge", "Compression", "CryptoKit", "TestSupport"]),
        tests("InvitationsTests", ["ReferralInvitations", "ReferralBridge", "SimulatedRuntime", "TestSupport"]),
        tests(
            "TownTests",
            ["ReferralInvitations", "Unlocks", "UnlocksTesting", "ReferralBridge", "CloudKit", "SimulatedRuntime"]
        ),
        tests(
            "UnlocksTests",
            ["Unlocks", "UnlocksTesting", "ReferralBridge", "ReferralSigning", "SimulatedRuntime", "TestSupport"]
        ),
        tests("ReferralBridgeTests", ["ReferralBridge", "SimulatedRuntime", "TestSupport"]),
    ]
)

// What doesn't simulate anything is compiled in a third of the time if it isn't optimized itself.
let unoptimized = ["SigningTests", "DataHandoffTests"]

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
