import ReferralFoundation

/// An error of the store.
public enum StoreError: DescribedError, Sendable, Equatable {
    /// The store doesn't answer: the device is offline. Ask again later.
    case unreachable
    /// The store doesn't have this product for sale. Check its identifier, and that App Store Connect has it ready.
    case noSuchProduct(ProductID)
    /// The store listed none of the catalog's products. What is known stays, and the store is asked again soon. If it goes on,
    /// check the identifiers, and in App Store Connect the products and the agreement for paid apps.
    case noProducts
    /// This version of the library doesn't know the store's answer. If something was bought, it arrives as an update.
    case unknownAnswer
    /// The app has no window for the system's question, for example because it is in the background.
    case noWindow

    /// A sentence suitable for display.
    public var description: String {
        switch self {
        case .unreachable: "The store can't be reached."
        case .noSuchProduct: "The store does not have this product."
        case .noProducts: "The store lists none of the products."
        case .unknownAnswer: "The store gave an answer that this app does not know."
        case .noWindow: "The app has no window in which the store could ask."
        }
    }
}
