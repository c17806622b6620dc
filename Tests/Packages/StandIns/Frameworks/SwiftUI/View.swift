@_exported public import FoundationStandIn

#if canImport(UIKit)
@_exported public import UIKit
#else
@_exported public import AppKit
#endif

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("it has no body") }
}

@resultBuilder @MainActor
public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView(content: (repeat each content))
    }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> {
        .second(second)
    }
}

public struct EmptyView: View, Primitive {
    public init() {}
    public func render(into rendering: Rendering) {}
}

public struct AnyView: View, Primitive {
    let view: any View
    public init(_ view: some View) { self.view = view }
    public func render(into rendering: Rendering) { rendering.add(view) }
}

public struct TupleView<Content>: View, Primitive {
    let content: Content
    public func render(into rendering: Rendering) {
        for child in Mirror(reflecting: content).children {
            if let view = child.value as? any View { rendering.add(view) }
        }
    }
}

public enum Either<First: View, Second: View>: View, Primitive {
    case first(First), second(Second)
    public func render(into rendering: Rendering) {
        switch self {
        case .first(let view): rendering.add(view)
        case .second(let view): rendering.add(view)
        }
    }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("it has no body") }
}

extension Optional: Primitive where Wrapped: View {
    public func render(into rendering: Rendering) {
        if let self { rendering.add(self) }
    }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = AnyView
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

extension View {
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View {
        Modified(view: self) { view, rendering in
            rendering.note(modifier)
            rendering.add(modifier.body(content: AnyView(view)))
        }
    }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor public static func main() { _ = Self().body }
}

@MainActor @preconcurrency
public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) { _ = content() }
}
