// swift-tools-version: 6.2

// An app package: Xcode opens this folder and runs it. `swift build` can't, since only Xcode and Swift Playgrounds have
// AppleProductTypes. It isn't known whether Swift Playgrounds can read the library, which is outside of the folder.

import AppleProductTypes
import PackageDescription

let package = Package(
    name: "TrestleLite",
    defaultLocalization: "en",
    platforms: [.iOS(.v16)],
    products: [
        .iOSApplication(
            name: "TrestleLite",
            targets: ["TrestleLite"],
            bundleIdentifier: "com.example.trestle.lite",
            displayVersion: "1.0",
            bundleVersion: "1",
            appIcon: .placeholder(icon: .gamepad),
            accentColor: .presetColor(.teal),
            supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [
                .portrait,
                .landscapeRight,
                .landscapeLeft,
                .portraitUpsideDown(.when(deviceFamilies: [.pad])),
            ],
            // The scheme trestle-lite://, which opens the app with a link.
            additionalInfoPlistContentFilePath: "AdditionalInfo.plist"
        )
    ],
    dependencies: [
        // Named explicitly, since the folder of a clone may have any name.
        .package(name: "ReferralBridge", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "TrestleLite",
            dependencies: [
                .product(name: "ReferralBridge", package: "ReferralBridge"),
                .product(name: "DataHandoff", package: "ReferralBridge"),
            ],
            path: "Sources",
            resources: [.process("Localizable.xcstrings")]
        )
    ]
)
