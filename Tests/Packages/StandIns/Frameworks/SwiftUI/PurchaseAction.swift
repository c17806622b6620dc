public import StoreKit

/// https://developer.apple.com/documentation/storekit/purchaseaction
@available(macOS 14.0, iOS 17.0, *)
@MainActor @preconcurrency
public struct PurchaseAction {
    private let name: String

    /// https://developer.apple.com/documentation/storekit/purchaseaction/callasfunction(_:options:)
    public func callAsFunction(
        _ product: Product,
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await product.buy(options, action: name)
    }

    // MARK: For tests

    init(named name: String) { self.name = name }
}

private struct PurchasingKey: EnvironmentKey {
    static let defaultValue: PurchaseAction? = nil
}

extension EnvironmentValues {
    /// https://developer.apple.com/documentation/swiftui/environmentvalues/purchase
    @available(macOS 14.0, iOS 17.0, *)
    @MainActor @preconcurrency
    public var purchase: PurchaseAction { purchasing ?? PurchaseAction(named: "window") }

    /// The action where a view is.
    var purchasing: PurchaseAction? {
        get { self[PurchasingKey.self] }
        set { self[PurchasingKey.self] = newValue }
    }
}
