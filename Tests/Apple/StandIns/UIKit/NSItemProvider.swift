@_exported public import Foundation

/// Foundation's on Apple's platforms; Linux has none.
public class NSItemProvider: NSObject {
    private let object: Any?

    /// An address, a text, or something that cannot be loaded.
    public init(loading object: Any?) {
        self.object = object
    }

    public var registeredTypeIdentifiers: [String] {
        object is URL ? ["public.url"] : object is String ? ["public.plain-text"] : ["public.image"]
    }

    public func canLoadObject<T>(ofClass type: T.Type) -> Bool { object is T || object is any Error }

    public func loadObject<T>(
        ofClass type: T.Type,
        completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress {
        nonisolated(unsafe) let object = object
        DispatchQueue.global().async { completionHandler(object as? T, object as? any Error) }
        return Progress(totalUnitCount: 1)
    }
}
