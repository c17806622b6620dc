#if canImport(UIKit) && canImport(SwiftUI) && os(visionOS)
import StoreKit
import SwiftUI

extension View {
    /// Shows a part of an app's page in the App Store over the view, since visionOS has no controller for the whole page.
    func storePage(_ page: StorePage, isPresented: Binding<Bool>, clock: DeviceClock) -> some View {
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
