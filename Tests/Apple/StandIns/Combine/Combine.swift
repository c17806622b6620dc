public final class ObservableObjectPublisher {
    public init() {}

    /// Tells nobody, as below.
    public func send() {}
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
}

/// Tells nobody of a change: the stand-ins' views are made anew by each test.
@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
