public import ReferralFoundation

/// An error whose `localizedDescription` is its description, a sentence in English.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
