/// What is left of an unlock.
///
/// ```swift
/// if unlocks.balance(of: "hint") == 0 { UpgradeView(unlocks, item: "hints") }
/// ```
public enum UnlockBalance: Sendable, Hashable {
    /// It isn't known yet. ``UnlockCenter/state(of:)`` has the reason. As with the state, an app that can't wait should treat the
    /// unlock as open.
    case unknown
    /// The unlock is open without counting.
    case unlimited
    /// This number is left: free uses and bought ones together. It is 0 if the unlock is locked.
    case left(Int)

    /// The number that is left; `nil` if the unlock is open without counting, or if the balance isn't known yet.
    public var count: Int? { if case .left(let count) = self { count } else { nil } }
}

extension UnlockBalance: ExpressibleByIntegerLiteral {
    /// The balance with this number left, so that a balance can be compared with a number.
    public init(integerLiteral value: Int) { self = .left(value) }
}
