#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import UIKit
import UniformTypeIdentifiers

/// Receives the items that a `UIPasteControl` pastes. Pressing it gives permission, so the system doesn't prompt.
///
/// ```swift
/// let target = ReferralPasteTarget(bridge)  // keep it, since the control doesn't
/// let control = UIPasteControl(configuration: UIPasteControl.Configuration())
/// control.target = target
/// ```
///
/// The target accepts a link that was copied as an address or as text. Make the control at least 34 points high: a
/// smaller one stays empty. The target doesn't implement `canPaste(_:)`, since that would make the system prompt.
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
    ///   - bridge: Judges and reports the pasted items.
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

    /// Judges the pasted items.
    public func paste(itemProviders: [NSItemProvider]) {
        Task { completion(await bridge.handlePaste(itemProviders: itemProviders)) }
    }
}
#endif
