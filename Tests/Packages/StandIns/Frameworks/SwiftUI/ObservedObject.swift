public import Combine

@propertyWrapper @MainActor
public struct ObservedObject<ObjectType: ObservableObject>: Observing {
    @dynamicMemberLookup @MainActor
    public struct Wrapper {
        let object: ObjectType
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
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

extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            guard isPresented.wrappedValue else { return }
            rendering.present(content()) { isPresented.wrappedValue = false }
            rendering.dismissals.append { isPresented.wrappedValue = false }
        }
    }

    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            guard let value = item.wrappedValue else { return }
            rendering.present(content(value)) { item.wrappedValue = nil }
        }
    }
}

private extension Rendering {
    /// Draws a sheet, which the view in it can dismiss.
    func present(_ view: some View, dismiss: @escaping () -> Void) {
        let sheet = view.environment(\.presentation, DismissAction(action: dismiss))
        draw(.sheet) { add(sheet) }
    }
}
