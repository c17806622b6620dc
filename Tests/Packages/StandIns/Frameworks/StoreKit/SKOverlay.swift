public import Foundation

/// https://developer.apple.com/documentation/storekit/skoverlay
@available(iOS 14.0, *)
@available(macOS, unavailable)
public class SKOverlay: NSObject {
    /// https://developer.apple.com/documentation/storekit/skoverlay/position
    public enum Position: Int { case bottom, bottomRaised }

    /// https://developer.apple.com/documentation/storekit/skoverlay/configuration-swift.class
    public class Configuration: NSObject {}

    /// https://developer.apple.com/documentation/storekit/skoverlay/appconfiguration
    public class AppConfiguration: Configuration {
        public var appIdentifier: String
        public var campaignToken: String?
        public var providerToken: String?
        /// https://developer.apple.com/documentation/storekit/skoverlay/appconfiguration/customproductpageidentifier
        @available(iOS 15.0, *)
        public var customProductPageIdentifier: String? {
            get { page }
            set { page = newValue }
        }
        private var page: String?

        public init(appIdentifier: String, position: SKOverlay.Position) { self.appIdentifier = appIdentifier }
    }

    /// https://developer.apple.com/documentation/storekit/skoverlay/appclipconfiguration
    public class AppClipConfiguration: Configuration {
        public init(position: SKOverlay.Position) {}
    }
}
