#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import UIKit
import UniformTypeIdentifiers

/// Receives what a `UIPasteControl` pastes. Pressing that button is the permission, so the system asks nothing.
///
/// ```swift
/// let target = ReferralPasteTarget(bridge)  // keep it: the control doesn't
/// let control = UIPasteControl(configuration: UIPasteControl.Configuration())
/// control.target = target
/// ```
///
/// It takes a link that was copied as an address or as text. Give the control at least 34 points of height: a smaller
/// one stays empty. The target doesn't implement `canPaste(_:)`, since an implementation makes the system ask.
@MainActor
public final class ReferralPasteTarget: NSObject, UIPasteConfigurationSupporting {
    /// Addresses and plain text.
    public var pasteConfiguration: UIPasteConfiguration? = UIPasteConfiguration(
        acceptableTypeIdentifiers: [UTType.url.identifier, UTType.plainText.identifier]
    )

    private let bridge: AppStoreBridge
    private let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - bridge: Judges and reports what is pasted.
    ///   - completion: Called with the outcome of each paste. A paste that fails is
    ///     ``AppStoreBridge/Outcome/emptyOrDenied``.
    public init(
        _ bridge: AppStoreBridge,
        completion: @escaping @MainActor (AppStoreBridge.Outcome) -> Void = { _ in }
    ) {
        self.bridge = bridge
        self.completion = completion
        super.init()
    }

    /// Judges what was pasted.
    public func paste(itemProviders: [NSItemProvider]) {
        Task { completion(await bridge.handlePaste(itemProviders: itemProviders)) }
    }
}
#endif
