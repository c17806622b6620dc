@_exported public import Foundation

/// Foundation's on Apple's platforms; Linux has none. UIKit, AppKit and SwiftUI hand it on with the rest of Foundation.
public class NSItemProvider: NSObject {
    private let objects: [Any]

    /// Addresses, texts, errors for a text that the system promises and can't give, and anything else for a picture.
    public init(loading objects: Any...) {
        self.objects = objects
    }

    public var registeredTypeIdentifiers: [String] {
        objects.map { object in
            switch object {
            case is URL: "public.url"
            case is String, is any Error: "public.utf8-plain-text"
            default: "public.png"
            }
        }
    }

    public func canLoadObject<Object: ItemProviderLoadable>(ofClass type: Object.Type) -> Bool {
        objects.contains { $0 is Object || ($0 is any Error && Object.self == String.self) }
    }

    public func loadObject<Object: ItemProviderLoadable>(
        ofClass type: Object.Type,
        completionHandler: @escaping @Sendable (Object?, (any Error)?) -> Void
    ) -> Progress {
        let object = objects.lazy.compactMap { $0 as? Object }.first
        let error = object == nil ? objects.lazy.compactMap { $0 as? any Error }.first : nil
        // "The system uses an internal queue when calling the completion blocks."
        Thread.detachNewThread { completionHandler(object, error) }
        return Progress(totalUnitCount: 1)
    }
}

/// The constraint of `canLoadObject(ofClass:)` and `loadObject(ofClass:completionHandler:)`: bridged to a class that is
/// `NSItemProviderReading`. Of Foundation's types, a string and a URL are.
public protocol ItemProviderLoadable: Sendable {}
extension String: ItemProviderLoadable {}
extension URL: ItemProviderLoadable {}
