public import ReferralFoundation

/// An Ed25519 public key (RFC 8032), which checks signatures.
///
/// ```swift
/// let key: PublicKey = "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="
/// ```
public struct PublicKey: Sendable, Hashable, LosslessStringConvertible {
    private static let length = 32

    /// The key in base64 with padding, 44 characters.
    public let description: String

    /// The 32 bytes of the key.
    public var rawRepresentation: Data { Data(Base64.decode(description.utf8, .standard) ?? []) }

    /// Creates a key from its bytes; `nil` unless there are 32, or if they are a point of small order, such as 32 zero bytes:
    /// anybody can sign for it.
    public init?(rawRepresentation: Data) {
        self.init(rawRepresentation.base64EncodedString())
    }

    /// Creates a key from its base64 with padding, as `referral-tool key` prints it; `nil` if the text isn't valid
    /// base64 of 32 bytes, or if they are a point of small order, such as 32 zero bytes: anybody can sign for it.
    public init?(_ base64: String) {
        guard let bytes = Base64.decode(base64.utf8, .standard), bytes.count == Self.length, !Self.hasSmallOrder(bytes)
        else { return nil }
        description = base64
    }
}

extension PublicKey {
    /// Whether the 32 bytes encode one of the eight points whose order divides 8.
    private static func hasSmallOrder(_ bytes: [UInt8]) -> Bool {
        // The highest bit is the sign of x. The rest is y, the lowest byte first; p is 2^255 - 19.
        let y = bytes.dropLast() + [bytes[length - 1] & 0x7F]
        let others = y[1..<(length - 1)]
        switch y[0] {
        // The orders 4 and 1.
        case 0, 1: return y[length - 1] == 0 && others.allSatisfy { $0 == 0 }
        // p - 1 of order 2, and p and p + 1, which are 0 and 1 again.
        case 0xEC...0xEE: return y[length - 1] == 0x7F && others.allSatisfy { $0 == 0xFF }
        default: return order8.contains { y.elementsEqual($0) }
        }
    }

    /// The y coordinates of the points of order 8.
    private static let order8: [[UInt8]] = [
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
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
