// swift-tools-version: 6.2

// The library's platform files, built and run where there is no Apple SDK: against modules of the same names that declare
// just what is used, with the signatures and the isolation of Apple's documentation; and processes that tests end at any
// system call. PLATFORM=AppKit builds them as on a Mac, anything else as on an iPhone.

import PackageDescription

let platform = Context.environment["PLATFORM"] == "AppKit" ? "AppKit" : "UIKit"
let frameworks =
    [platform, "SwiftUI", "StoreKit", "UniformTypeIdentifiers", "DarwinStandIn"]
    + (platform == "UIKit" ? ["SafariServices"] : [])
let ours = [
    "ReferralFoundation", "ReferralBasics", "ReferralAppSupport", "ReferralClip", "ReferralBridge", "DataHandoff",
    "UnlockCatalog", "ReferralInviteCodes", "Unlocks", "UnlocksTesting", "ReferralInvitations", "Trestle",
    "TrestleClip", "TrestleLite", "SimulatedRuntime", "TestSupport", "handoff-probe", "shop-probe", "invites-probe",
    "PlatformTests",
]

func standIn(_ name: String, dependencies: [String] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Frameworks/\(path ?? name)")
}

func process(_ name: String, _ library: Target.Dependency, path: String) -> Target {
    .executableTarget(name: name, dependencies: [library, "ReferralBridge"], path: path)
}

let package = Package(
    name: "StandIns",
    targets: [
        // Notes what the tests ask about; none of Apple's.
        standIn("AccessLog", dependencies: ["SimulatedRuntime"]),
        standIn("FoundationStandIn", path: "Foundation"),
        standIn("DarwinStandIn", path: "Darwin"),
        standIn("UniformTypeIdentifiers"),
        standIn("StoreKit", dependencies: ["SimulatedRuntime"] + (platform == "UIKit" ? ["UIKit"] : [])),
        standIn("SafariServices", dependencies: [platform]),
        standIn("Combine"),
        standIn("CloudKit", dependencies: ["FoundationStandIn"]),
        standIn("CoreGraphics", dependencies: ["FoundationStandIn"]),
        standIn("CoreImage", dependencies: ["CoreGraphics"]),
        standIn("ImageIO", dependencies: ["CoreGraphics"]),
        .target(name: "Compression", path: "Frameworks/Compression", linkerSettings: [.linkedLibrary("z")]),
        .systemLibrary(name: "Crypto", path: "Frameworks/Crypto"),
        standIn("CryptoKit", dependencies: ["Crypto"]),
        standIn(
            platform,
            dependencies: ["AccessLog", "FoundationStandIn", "SimulatedRuntime", "UniformTypeIdentifiers"]
        ),
        standIn(
            "SwiftUI",
            dependencies: [
                platform, "Combine", "CoreGraphics", "FoundationStandIn", "StoreKit", "UniformTypeIdentifiers",
            ]
        ),
        .target(name: "ReferralFoundation", path: "ReferralFoundation"),
        .target(name: "ReferralBasics", dependencies: ["ReferralFoundation", "CryptoKit"], path: "ReferralBasics"),
        .target(
            name: "ReferralAppSupport",
            dependencies: ["ReferralBasics"] + frameworks.map { .byName(name: $0) },
            path: "ReferralAppSupport",
            exclude: ["PrivacyInfo.xcprivacy"],
            // Under its own name SwiftPM's test runner would find it too.
            swiftSettings: [.unsafeFlags(["-module-alias", "Darwin=DarwinStandIn"])]
        ),
        .target(
            name: "ReferralBridge",
            dependencies: ["ReferralAppSupport", "ReferralInviteCodes", "ReferralClip"]
                + frameworks.map { .byName(name: $0) },
            path: "ReferralBridge",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "ReferralClip", path: "ReferralClip"),
        .target(
            name: "DataHandoff",
            dependencies: ["ReferralAppSupport", "Compression", "CryptoKit"] + frameworks.map { .byName(name: $0) },
            path: "DataHandoff",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]
        ),
        .target(name: "UnlockCatalog", dependencies: ["ReferralBasics"], path: "UnlockCatalog"),
        .target(name: "ReferralInviteCodes", dependencies: ["ReferralBasics"], path: "ReferralInviteCodes"),
        .target(
            name: "Unlocks",
            dependencies: [
                "ReferralAppSupport", "UnlockCatalog", "ReferralInviteCodes", "CryptoKit", "Combine", "ImageIO",
            ] + frameworks.map { .byName(name: $0) },
            path: "Unlocks",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"],
            resources: [.process("Shop/Localizable.xcstrings")]
        ),
        .target(name: "UnlocksTesting", dependencies: ["Unlocks"], path: "UnlocksTesting"),
        .target(
            name: "ReferralInvitations",
            dependencies: [
                "ReferralAppSupport", "ReferralInviteCodes", "CryptoKit", "Combine", "CloudKit", "CoreImage",
            ] + frameworks.map { .byName(name: $0) },
            path: "ReferralInvitations",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"],
            resources: [.process("Views/Localizable.xcstrings")]
        ),
        .target(name: "SimulatedRuntime", path: "SimulatedRuntime"),
        .target(
            name: "RuntimeStart",
            path: "RuntimeStart",
            publicHeadersPath: ".",
            cSettings: [.define("COUNTS_ALL_JOBS")]
        ),
        .target(
            name: "TestSupport",
            dependencies: ["ReferralBridge", "SimulatedRuntime", "RuntimeStart"],
            path: "TestSupport"
        ),
        process("handoff-probe", "DataHandoff", path: "HandoffProbe"),
        process("shop-probe", "Unlocks", path: "ShopProbe"),
        process("invites-probe", "ReferralInvitations", path: "InvitesProbe"),
        .testTarget(
            name: "PlatformTests",
            dependencies: [
                "ReferralBridge", "DataHandoff", "Unlocks", "UnlocksTesting", "ReferralInvitations", "CloudKit",
                "CoreGraphics", "CoreImage", "CryptoKit", "AccessLog", "ImageIO", "DarwinStandIn", "SimulatedRuntime",
                "TestSupport",
            ] + (platform == "UIKit" ? ["Trestle", "TrestleClip", "TrestleLite"] : []),
            path: "PlatformTests"
        ),
    ]
)

// The examples are apps for iPhone and iPad.
if platform == "UIKit" {
    package.targets += [
        .executableTarget(
            name: "Trestle",
            dependencies: ["ReferralBridge", "DataHandoff", "Unlocks", "ReferralInvitations"],
            path: "Trestle",
            resources: [.process("catalog.json"), .process("Localizable.xcstrings")]
        ),
        .executableTarget(
            name: "TrestleClip",
            dependencies: ["ReferralClip", "SwiftUI", "StoreKit"],
            path: "TrestleClip"
        ),
        .executableTarget(
            name: "TrestleLite",
            dependencies: ["ReferralBridge", "DataHandoff"],
            path: "TrestleLite",
            resources: [.process("Localizable.xcstrings")]
        ),
    ]
}

for target in package.targets where ours.contains(target.name) {
    var settings = target.swiftSettings ?? []
    settings += [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // The toolchain has modules that join Testing to Apple's frameworks, and these are not Apple's.
        .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]),
    ]
    target.swiftSettings = settings
}
