#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import UIKit
import UniformTypeIdentifiers

/// What a `UIPasteControl` delivers to: pressing that button is the permission, so the system asks nothing.
///
/// ```swift
/// let target = ReferralPasteTarget(bridge)  // keep it: the control does not
/// let control = UIPasteControl(configuration: UIPasteControl.Configuration())
/// control.target = target
/// ```
///
/// It takes a link that was copied as an address and one that was copied as text. Never seen on a device.
@MainActor
public final class ReferralPasteTarget: UIResponder {
    private let bridge: AppStoreBridge
    private let completion: @MainActor (AppStoreBridge.Outcome) -> Void
    private var accepted: UIPasteConfiguration?

    /// A target.
    ///
    /// - Parameters:
    ///   - bridge: Judges and reports what is pasted.
    ///   - completion: Is told what came of it, each time.
    public init(
        _ bridge: AppStoreBridge,
        completion: @escaping @MainActor (AppStoreBridge.Outcome) -> Void = { _ in }
    ) {
        self.bridge = bridge
        self.completion = completion
        accepted = UIPasteConfiguration(acceptableTypeIdentifiers: [UTType.url.identifier, UTType.plainText.identifier])
        super.init()
    }

    /// Addresses and plain text.
    public override var pasteConfiguration: UIPasteConfiguration? {
        get { accepted }
        set { accepted = newValue }
    }

    /// Judges what was pasted.
    public override func paste(itemProviders: [NSItemProvider]) {
        Task { completion(await bridge.paste(itemProviders: itemProviders)) }
    }
}
#endif
