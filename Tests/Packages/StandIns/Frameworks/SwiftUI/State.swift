public import Combine

@propertyWrapper
public struct AppStorage<Value> {
    private let key: String
    private let initial: Value

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.key = key
        initial = wrappedValue
    }

    public var wrappedValue: Value {
        get { UserDefaults.standard.object(forKey: key) as? Value ?? initial }
        nonmutating set { UserDefaults.standard.set(newValue, forKey: key) }
    }
}

@propertyWrapper
public struct State<Value>: Lasting {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private final class Place {
        var storage: Storage
        init(_ value: Value) { storage = Storage(value) }
    }

    private let place: Place

    public init(wrappedValue: Value) { place = Place(wrappedValue) }
    public init(initialValue: Value) { place = Place(initialValue) }

    public var wrappedValue: Value {
        get { place.storage.value }
        nonmutating set { place.storage.value = newValue }
    }

    func last(in values: inout [String: AnyObject], as key: String) {
        if let storage = values[key] as? Storage { place.storage = storage }
        values[key] = place.storage
    }

    public var projectedValue: Binding<Value> {
        Binding(source: (place.storage, 0), get: { wrappedValue }, set: { wrappedValue = $0 })
    }
}

@propertyWrapper
public struct Binding<Value> {
    /// The object with the value, and its place there.
    let source: (object: AnyObject, path: AnyHashable)
    let get: () -> Value
    let set: (Value) -> Void

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    public var projectedValue: Binding { self }
}

@propertyWrapper @MainActor
public struct ObservedObject<ObjectType: ObservableObject>: Observing {
    @dynamicMemberLookup @MainActor
    public struct Wrapper {
        let object: ObjectType
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            Binding(
                source: (object, keyPath),
                get: { object[keyPath: keyPath] },
                set: { object[keyPath: keyPath] = $0 }
            )
        }
    }

    public var wrappedValue: ObjectType
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
    var publisher: ObservableObjectPublisher? { wrappedValue.objectWillChange as? ObservableObjectPublisher }
}

@propertyWrapper @MainActor
public struct StateObject<ObjectType: ObservableObject>: Observing {
    public let wrappedValue: ObjectType
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { wrappedValue = thunk() }
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject.Wrapper(object: wrappedValue) }
    var publisher: ObservableObjectPublisher? { wrappedValue.objectWillChange as? ObservableObjectPublisher }
}
