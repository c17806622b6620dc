public import Foundation

/// https://developer.apple.com/documentation/storekit/skoverlay
@available(macOS, unavailable)
public class SKOverlay: NSObject {
    /// https://developer.apple.com/documentation/storekit/skoverlay/position
    public enum Position: Int { case bottom, bottomRaised }

    /// https://developer.apple.com/documentation/storekit/skoverlay/configuration-swift.class
    public class Configuration: NSObject {}

    /// https://developer.apple.com/documentation/storekit/skoverlay/appclipconfiguration
    public class AppClipConfiguration: Configuration {
        public init(position: SKOverlay.Position) {}
    }
}
