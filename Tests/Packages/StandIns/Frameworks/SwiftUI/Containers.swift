// Views that are made of others. Nothing is laid out.

public struct List<Content: View>: View {
    public let body: Content
    public init(@ViewBuilder content: () -> Content) { body = content() }
}

public struct Section<Parent: View, Content: View>: View {
    let header: Parent
    let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.header = header()
        self.content = content()
    }
    public var body: some View {
        header
        content
    }
}

extension Section where Parent == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
}

extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(content: content) { EmptyView() }
    }
}

public struct VStack<Content: View>: View {
    public let body: Content
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: Double? = nil,
        @ViewBuilder content: () -> Content
    ) {
        body = content()
    }
}

public enum HorizontalAlignment: Sendable {
    case center, leading
}

public struct HStack<Content: View>: View {
    public let body: Content
    public init(@ViewBuilder content: () -> Content) { body = content() }
}

public struct Spacer: View {
    public init() {}
    public var body: some View { EmptyView() }
}

public struct Color: View {
    public static let white = Color()
    public var body: some View { EmptyView() }
}

public struct Label<Title: View, Icon: View>: View {
    let title: Title
    let icon: Icon
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
    public var body: some View {
        icon
        title
    }
}

public struct Picker<Content: View>: View {
    let title: Text
    let content: Content
    public init<Selection: Hashable>(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Selection>,
        @ViewBuilder content: () -> Content
    ) {
        title = Text(titleKey)
        self.content = content()
    }
    // The choices are in a menu.
    public var body: some View {
        content
        title
    }
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
