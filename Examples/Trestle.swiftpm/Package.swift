// swift-tools-version: 6.2

// An app package: Xcode opens this folder and runs it. `swift build` can't, since only Xcode and Swift Playgrounds have
// AppleProductTypes. It isn't known whether Swift Playgrounds can read the library, which is outside of the folder.

import AppleProductTypes
import PackageDescription

let package = Package(
    name: "Trestle",
    defaultLocalization: "en",
    platforms: [.iOS(.v16)],
    products: [
        .iOSApplication(
            name: "Trestle",
            targets: ["Trestle"],
            bundleIdentifier: "com.example.trestle",
            displayVersion: "2.0",
            bundleVersion: "230",
            appIcon: .placeholder(icon: .gamepad),
            accentColor: .presetColor(.indigo),
            supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [
                .portrait,
                .landscapeRight,
                .landscapeLeft,
                .portraitUpsideDown(.when(deviceFamilies: [.pad])),
            ],
            // The scheme trestle://, which opens the app with a link, and the files that it opens.
            additionalInfoPlistContentFilePath: "AdditionalInfo.plist"
        )
    ],
    dependencies: [
        // Named explicitly, since the folder of a clone may have any name.
        .package(name: "ReferralBridge", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Trestle",
            dependencies: [
                .product(name: "ReferralBridge", package: "ReferralBridge"),
                .product(name: "DataHandoff", package: "ReferralBridge"),
                .product(name: "Unlocks", package: "ReferralBridge"),
                .product(name: "ReferralInvitations", package: "ReferralBridge"),
            ],
            path: "Sources",
            resources: [.process("catalog.json"), .process("Localizable.xcstrings")]
        )
    ]
)
