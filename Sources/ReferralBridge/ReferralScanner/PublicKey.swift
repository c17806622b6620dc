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

    /// The key in base64 with padding, 44 characters.
    ///
    /// It is kept as text, since comparing two values of `Data` would add 2 kB of code.
    public let description: String

    /// The 32 bytes of the key.
    public var rawRepresentation: Data { Data(Base64.decode(description.utf8, .standard) ?? []) }

    /// Creates a key from its bytes; `nil` unless there are 32.
    public init?(rawRepresentation: Data) {
        guard rawRepresentation.count == Self.length else { return nil }
        description = rawRepresentation.base64EncodedString()
    }

    /// Creates a key from its base64 with padding, as `referral-tool key` prints it; `nil` if the text isn't valid
    /// base64 of 32 bytes.
    public init?(_ base64: String) {
        guard Base64.decode(base64.utf8, .standard)?.count == Self.length else { return nil }
        description = base64
    }
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
