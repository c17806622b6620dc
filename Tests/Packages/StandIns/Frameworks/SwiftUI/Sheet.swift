extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        Modified(view: self) { view, rendering in
            let presentation = Presentation.of(isPresented)
            rendering.show(presentation, isPresented.wrappedValue, over: view, onDismiss) {
                rendering.present(content()) { isPresented.wrappedValue = false }
                rendering.dismissals.append { isPresented.wrappedValue = false }
            }
        }
    }

    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        Modified(view: self) { view, rendering in
            let value = item.wrappedValue
            rendering.show(Presentation.of(item), value != nil, over: view, onDismiss) {
                if let value { rendering.present(content(value)) { item.wrappedValue = nil } }
                rendering.itemDismissals.append { item.wrappedValue = nil }
            }
        }
    }
}

private extension Rendering {
    /// Draws a view, and the sheet over it, which the view can present nothing beside.
    func show(
        _ sheet: Presentation,
        _ isPresented: Bool,
        over view: some View,
        _ onDismiss: (() -> Void)?,
        _ drawSheet: () -> Void
    ) {
        if !isPresented { sheet.close(onDismiss) }
        let outer = level
        defer { level = outer }
        let isShown = sheet.show(isPresented, at: level)
        level.isCovered = level.isCovered || isShown
        level.isMoving = level.isMoving || sheet.isClosing
        add(view)
        guard isShown else { return }
        level = Presentation.Level()
        drawSheet()
    }

    /// Draws a sheet, which the view in it can dismiss. It has an action of its own for purchases.
    func present(_ view: some View, dismiss: @escaping () -> Void) {
        let sheet = view.environment(\.presentation, DismissAction(action: dismiss))
            .environment(\.purchasing, PurchaseAction(named: "sheet"))
        add(sheet)
    }
}

/// Whether something is presented: a sheet, an alert or a sheet of the system's. A rendering is a moment, and this outlives it.
///
/// UIKit presents nothing from a controller that presents something already, or while a sheet closes. SwiftUI then shows the
/// view at no time, although its binding stays true.
@MainActor
final class Presentation {
    struct Level {
        /// Whether something is over the view.
        var isCovered = false
        /// Whether a sheet over the view closes.
        var isMoving = false
    }

    private struct Key: Hashable {
        let object: ObjectIdentifier
        let path: AnyHashable
    }

    private static var all: [Key: Presentation] = [:]
    private weak var object: AnyObject?
    private var (isShown, isLost) = (false, false)
    private(set) var isClosing = false

    private init(of object: AnyObject?) { self.object = object }

    /// The presentation that a binding decides.
    static func of(_ binding: Binding<some Any>) -> Presentation {
        guard let (object, path) = binding.source else { return Presentation(of: nil) }
        let key = Key(object: ObjectIdentifier(object), path: path)
        if let known = all[key], known.object === object { return known }
        let new = Presentation(of: object)
        all[key] = new
        return new
    }

    /// Returns whether it is shown, now that a rendering wants it or doesn't.
    func show(_ isWanted: Bool, at level: Level) -> Bool {
        guard isWanted else {
            (isShown, isLost) = (false, false)
            return false
        }
        if !isShown, level.isCovered || level.isMoving { isLost = true }
        if !isLost { isShown = true }
        return !isLost
    }

    /// Begins to close a sheet that is no longer wanted. It has closed after an animation.
    func close(_ onDismiss: (() -> Void)?) {
        guard isShown else { return }
        isClosing = true
        nonisolated(unsafe) let onDismiss = onDismiss
        Task {
            await Animation.end()
            isClosing = false
            onDismiss?()
        }
    }
}

/// What moves on the screen. For tests.
@MainActor
public enum Animation {
    /// Whether what moves now goes on until this is false.
    public static var isHeld = false {
        didSet {
            guard !isHeld else { return }
            waiting.forEach { $0.resume() }
            waiting = []
        }
    }

    private static var waiting: [CheckedContinuation<Void, Never>] = []

    static func end() async {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
    }
}
