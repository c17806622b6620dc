/// The action of a view, as its last body has made it.
///
/// A task that a view has started outlives the body that started it, and would call a closure with the values of that body. A
/// view keeps this object as its state, and sets the action in each body.
@MainActor
package final class LastAction<Value> {
    private var action: (@MainActor (Value) -> Void)?

    package init() {}

    /// Sets the action of the present body.
    package func updated(_ action: @escaping @MainActor (Value) -> Void) -> LastAction {
        self.action = action
        return self
    }

    /// Calls the action of the last body.
    package func callAsFunction(_ value: Value) { action?(value) }
}
