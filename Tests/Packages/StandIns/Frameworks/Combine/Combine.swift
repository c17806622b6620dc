/// https://developer.apple.com/documentation/combine/publisher
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

/// https://developer.apple.com/documentation/combine/observableobjectpublisher
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private var listeners: [() -> Void] = []

    public init() {}

    public func send() {
        Self.checkChange()
        for listener in listeners { listener() }
    }

    // MARK: For the stand-in of SwiftUI

    package func onSend(_ listener: @escaping () -> Void) { listeners.append(listener) }

    /// Whether a view's body is being worked out.
    package nonisolated(unsafe) static var isInBody = false

    static func checkChange() {
        precondition(
            !isInBody,
            "Publishing changes from within view updates is not allowed, this will cause undefined behavior."
        )
    }
}

/// https://developer.apple.com/documentation/combine/observableobject
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// A new publisher each time, so that nothing observes it: see `Published`.
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}

/// https://developer.apple.com/documentation/combine/published
///
/// Publishes no change: each test renders the stand-ins' views again.
@propertyWrapper
public struct Published<Value> {
    private var value: Value

    public init(wrappedValue: Value) { value = wrappedValue }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { fatalError("it isn't a property of a class") }
        set { fatalError("it isn't a property of a class") }
    }

    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].value }
        set {
            ObservableObjectPublisher.checkChange()
            object[keyPath: storageKeyPath].value = newValue
        }
    }
}
