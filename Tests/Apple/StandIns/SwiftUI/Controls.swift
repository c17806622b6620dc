// What the examples and the library's views are made of.

public struct List<Content: View>: View, Primitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func render(into rendering: Rendering) { rendering.add(content) }
}

public struct Form<Content: View>: View, Primitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func render(into rendering: Rendering) { rendering.add(content) }
}

public struct Section<Content: View>: View, Primitive {
    let title: String?
    let content: Content
    public init(_ title: String, @ViewBuilder content: () -> Content) {
        self.title = title
        self.content = content()
    }
    public init(@ViewBuilder content: () -> Content) {
        self.title = nil
        self.content = content()
    }
    public func render(into rendering: Rendering) {
        if let title { rendering.texts.append(title) }
        rendering.add(content)
    }
}

public struct Label<Title: View, Icon: View>: View, Primitive {
    let title: Title
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { self.title = title() }
    public func render(into rendering: Rendering) { rendering.add(title) }
}

public struct Image: View, Primitive {
    public init(systemName: String) {}
    public func render(into rendering: Rendering) {}
}

public struct ShareLink: View, Primitive {
    public init(item: URL, subject: Text? = nil, message: Text? = nil) {}
    public func render(into rendering: Rendering) {}
}

public struct ProgressView<Label: View>: View, Primitive {
    let label: Label
    public init(@ViewBuilder label: () -> Label) { self.label = label() }
    public func render(into rendering: Rendering) { rendering.add(label) }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, Primitive {
    let data: Data
    let content: (Data.Element) -> Content
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.content = content
    }
    public func render(into rendering: Rendering) {
        for element in data { rendering.add(content(element)) }
    }
}

public struct Picker<Selection: Hashable, Content: View>: View, Primitive {
    let title: String
    let content: Content
    public init(_ title: String, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
        self.title = title
        self.content = content()
    }
    public func render(into rendering: Rendering) {
        rendering.texts.append(title)
        rendering.add(content)
    }
}

@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    public var projectedValue: Binding { self }
}

public struct Font: Sendable {
    public static let headline = Font()
}

public struct AccessibilityTraits: Sendable {
    public static let isHeader = AccessibilityTraits()
}

// What says nothing of what a view came to.
extension View {
    public func font(_ font: Font?) -> some View { self }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }
    public func accessibilityIdentifier(_ identifier: String) -> some View { self }
    public func frame(minHeight: Double? = nil) -> some View { self }
    public func tag(_ tag: some Hashable) -> some View { self }
    public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> some View {
        self
    }
}
