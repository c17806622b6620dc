#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
import Foundation

extension ShopContext {
    /// The running app: its version (`CFBundleShortVersionString`), its platform, and the user's preferred languages.
    ///
    /// Set ``edition`` if the app has editions. An app with Mac Catalyst counts as one for macOS, and an app for iPad that
    /// runs on a Mac as one for iOS.
    public static var current: ShopContext {
        #if os(macOS) || targetEnvironment(macCatalyst)
        let platform = CatalogItem.Platform.macOS
        #elseif os(tvOS)
        let platform = CatalogItem.Platform.tvOS
        #elseif os(visionOS)
        let platform = CatalogItem.Platform.visionOS
        #else
        let platform = CatalogItem.Platform.iOS
        #endif
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        return ShopContext(appVersion: version ?? "", platform: platform, languages: Locale.preferredLanguages)
    }
}
#endif
