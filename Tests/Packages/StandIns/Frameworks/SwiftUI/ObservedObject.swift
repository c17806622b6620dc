public import Combine

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
