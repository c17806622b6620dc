// swift-tools-version: 6.2

// The library's platform files, built and run where there is no Apple SDK: against modules of the same names that declare
// just what is used, with the signatures and the isolation of Apple's documentation. PLATFORM=AppKit builds them as on a
// Mac, anything else as on an iPhone.

import PackageDescription

let platform = Context.environment["PLATFORM"] == "AppKit" ? "AppKit" : "UIKit"
let frameworks = [platform, "SwiftUI", "StoreKit", "UniformTypeIdentifiers"]

let package = Package(
    name: "Apple",
    targets: [
        .target(name: platform, path: "StandIns/\(platform)"),
        .target(name: "UniformTypeIdentifiers", path: "StandIns/UniformTypeIdentifiers"),
        .target(name: "StoreKit", path: "StandIns/StoreKit"),
        .target(
            name: "SwiftUI",
            dependencies: [.byName(name: platform), "UniformTypeIdentifiers"],
            path: "StandIns/SwiftUI"
        ),
        .target(
            name: "ReferralBridge",
            dependencies: frameworks.map { .byName(name: $0) },
            path: "ReferralBridge",
            exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"],
            resources: [
                .embedInCode("CopySnippet/referral-bridge.js"),
                .embedInCode("CopySnippet/referral-bridge.min.js"),
            ]
        ),
        .executableTarget(name: "Trestle", dependencies: ["ReferralBridge"], path: "Trestle"),
        .testTarget(name: "PlatformTests", dependencies: ["ReferralBridge"], path: "PlatformTests"),
    ]
)

for target in package.targets where ["ReferralBridge", "Trestle", "PlatformTests"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // The toolchain has modules that join Testing to Apple's frameworks, and these are not Apple's.
        .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]),
    ]
}
