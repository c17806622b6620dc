#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An Ed25519 public key (RFC 8032), which checks signatures.
///
/// ```swift
/// let key: PublicKey = "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="
/// ```
public struct PublicKey: Sendable, Hashable, LosslessStringConvertible {
    private static let length = 32

    /// The 32 bytes of the key.
    public let rawRepresentation: Data

    /// Creates a key from its bytes; `nil` unless there are 32.
    public init?(rawRepresentation: Data) {
        guard rawRepresentation.count == Self.length else { return nil }
        self.rawRepresentation = rawRepresentation
    }

    /// Creates a key from its base64 with padding, as `referral-tool key` prints it; `nil` if the text isn't valid
    /// base64 of 32 bytes.
    public init?(_ base64: String) {
        guard let bytes = Base64.decode(base64.utf8, .standard) else { return nil }
        self.init(rawRepresentation: Data(bytes))
    }

    /// The key in base64 with padding, 44 characters.
    public var description: String { rawRepresentation.base64EncodedString() }
}

extension PublicKey: ExpressibleByStringLiteral {
    /// Creates a key from base64 in the source.
    ///
    /// - Precondition: The text is a key. For a text from outside, use a failable initializer.
    public init(stringLiteral base64: String) {
        guard let key = PublicKey(base64) else { preconditionFailure("a public key is 32 bytes in base64") }
        self = key
    }
}
