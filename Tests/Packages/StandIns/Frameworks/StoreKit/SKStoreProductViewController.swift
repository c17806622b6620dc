#if canImport(UIKit)
public import UIKit

/// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
@available(iOS 6.0, *)
@available(visionOS, unavailable)
@MainActor @preconcurrency
open class SKStoreProductViewController: UIViewController {
    /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/delegate
    weak open var delegate: (any SKStoreProductViewControllerDelegate)?

    /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/loadproduct(withparameters:completionblock:)
    @available(iOS 6.0, *)
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool {
        loaded = parameters
        return try await Self.onLoad()
    }

    // MARK: For tests

    /// What it was asked to load.
    package private(set) var loaded: [String: Any] = [:]

    /// What happens when one loads.
    package static var onLoad: @MainActor () async throws -> Bool = { true }

    /// The person closes it. The delegate dismisses it.
    package func finish() { delegate?.productViewControllerDidFinish(self) }
}

/// https://developer.apple.com/documentation/storekit/skstoreproductviewcontrollerdelegate
///
/// Unlike the delegates of UIKit, it isn't isolated.
@available(iOS 6.0, *)
@available(visionOS, unavailable)
public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
}

/// https://developer.apple.com/documentation/storekit/skstoreproductparameteritunesitemidentifier
@available(iOS 6.0, *)
@available(visionOS, unavailable)
public let SKStoreProductParameterITunesItemIdentifier = "id"

/// https://developer.apple.com/documentation/storekit/skstoreproductparameterprovidertoken
@available(iOS 8.3, *)
@available(visionOS, unavailable)
public let SKStoreProductParameterProviderToken = "providerToken"

/// https://developer.apple.com/documentation/storekit/skstoreproductparametercampaigntoken
@available(iOS 8.0, *)
@available(visionOS, unavailable)
public let SKStoreProductParameterCampaignToken = "campaignToken"

/// https://developer.apple.com/documentation/storekit/skstoreproductparametercustomproductpageidentifier
@available(iOS 15.0, *)
@available(visionOS, unavailable)
public let SKStoreProductParameterCustomProductPageIdentifier = "productVariantID"
#endif
