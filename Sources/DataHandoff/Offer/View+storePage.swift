#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !targetEnvironment(macCatalyst)
import ReferralBridge
import StoreKit
import SwiftUI

extension View {
    /// Shows an app's page in the App Store over the view. The system opens the page without leaving the app.
    func storePage(_ page: StorePage, isPresented: Binding<Bool>) -> some View {
        appStoreOverlay(isPresented: isPresented) {
            let configuration = SKOverlay.AppConfiguration(appIdentifier: page.appID.description, position: .bottom)
            configuration.campaignToken = page.campaign?.campaignToken
            configuration.providerToken = page.campaign?.providerToken
            configuration.customProductPageIdentifier = page.customProductPage
            return configuration
        }
    }
}
#endif
