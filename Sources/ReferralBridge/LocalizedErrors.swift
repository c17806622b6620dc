#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// An error's `localizedDescription` is its description, a sentence in English.

extension PasteboardError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension ReferralError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension ReferralLedgerError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension ReferralLinkError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension SignerError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension StorePageError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
