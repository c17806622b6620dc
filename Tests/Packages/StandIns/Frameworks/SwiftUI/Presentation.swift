public import StoreKit

extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.show(Presentation.of(isPresented), isPresented.wrappedValue, over: view, onDismiss) {
                rendering.present(content()) { isPresented.wrappedValue = false }
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
            }
        }
    }

    public func alert<Actions: View, Message: View>(
        _ title: Text,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> Actions,
        @ViewBuilder message: () -> Message
    ) -> some View {
        let (actions, message) = (actions(), message())
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            guard Presentation.of(isPresented).show(isPresented.wrappedValue, at: rendering.level) else { return }
            let count = rendering.texts.count
            rendering.add(title)
            rendering.add(message)
            rendering.alert = Array(rendering.texts[count...])
            rendering.dismissAlert = { isPresented.wrappedValue = false }
            rendering.add(actions)
        }
    }

    public func offerCodeRedemption(
        isPresented: Binding<Bool>,
        onCompletion: @escaping @MainActor (Result<Void, any Error>) -> Void = { _ in }
    ) -> some View {
        systemSheet("offer code", isPresented) { onCompletion(.success(())) }
    }

    @available(macOS 27.0, iOS 27.0, visionOS 27.0, *)
    public func offerCodeRedemption(
        options: Set<RedeemOption> = [],
        isPresented: Binding<Bool>,
        onCompletion: @escaping @MainActor (Result<VerificationResult<StoreKit.Transaction>, any Error>) -> Void
    ) -> some View {
        systemSheet("offer code", isPresented) { onCompletion(.failure(StoreKitError.userCancelled)) }
    }

    public func manageSubscriptionsSheet(isPresented: Binding<Bool>) -> some View {
        systemSheet("subscriptions", isPresented) {}
    }

    public func refundRequestSheet(for transactionID: UInt64, isPresented: Binding<Bool>) -> some View {
        systemSheet("refund of \(transactionID)", isPresented) {}
    }

    private func systemSheet(
        _ name: String,
        _ isPresented: Binding<Bool>,
        _ completion: @escaping @MainActor () -> Void
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            guard Presentation.of(isPresented).show(isPresented.wrappedValue, at: rendering.level) else { return }
            rendering.systemSheets.append(name)
            rendering.add(Text(verbatim: name))
            rendering.sheetActions.append {
                isPresented.wrappedValue = false
                completion()
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
        add(view.environment(\.presentation, dismiss).environment(\.purchasing, "sheet"))
        dismissals.append(dismiss)
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

    /// By the object and the place in it that a binding has its value from.
    private static var all: [[AnyHashable]: Presentation] = [:]
    private weak var object: AnyObject?
    private var (isShown, isLost) = (false, false)
    private(set) var isClosing = false

    private init(of object: AnyObject) { self.object = object }

    /// The presentation that a binding decides.
    static func of(_ binding: Binding<some Any>) -> Presentation {
        let (object, path) = binding.source
        let key = [ObjectIdentifier(object), path] as [AnyHashable]
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
