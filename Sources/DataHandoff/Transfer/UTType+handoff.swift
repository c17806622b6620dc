#if canImport(UniformTypeIdentifiers)
import Foundation
public import UniformTypeIdentifiers

extension UTType {
    /// The type of a receiver's files: `com.example.trestle.handoff` for `com.example.trestle`.
    ///
    /// The receiver exports it in its Info.plist, and any other app that uses it, such as the sender, imports it; see
    /// <doc:WhatCanBeAttacked>.
    public static func handoff(_ route: HandoffRoute) -> UTType { handoff(route, in: Bundle.main.bundleIdentifier) }

    /// The type in an app with this bundle identifier.
    static func handoff(_ route: HandoffRoute, in app: String?) -> UTType {
        let identifier = "\(route.receiver).\(HandoffPackage.fileExtension)"
        return app == route.receiver
            ? UTType(exportedAs: identifier, conformingTo: .data)
            : UTType(importedAs: identifier, conformingTo: .data)
    }
}
#endif
