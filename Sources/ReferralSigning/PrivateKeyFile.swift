import ReferralBasics

/// The text of a private key's file: PKCS #8 in PEM, as `openssl genpkey -algorithm ed25519` writes it (RFC 8410, RFC 7468).
package enum PrivateKeyFile {
    /// The longest text that is read, in bytes. A key's text has 119 bytes.
    package static let maximumLength = 64 << 10

    /// The lines around the base64.
    private static let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----")

    /// The object identifier of Ed25519, 1.3.101.112, in DER.
    private static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]

    /// The DER before a key's 32 bytes. The second byte is the length of the rest, and the fifth the version.
    private static let introduction: [UInt8] =
        [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03] + ed25519 + [0x04, 0x22, 0x04, 0x20]

    private static let keyLength = 32

    /// Why a text isn't a private key for Ed25519.
    package enum Problem: Error, Sendable, Equatable {
        /// There is a key in another form, or none.
        case otherForm
        /// A key for another algorithm.
        case otherAlgorithm
        /// The end is missing, or the base64 is invalid.
        case damaged
    }

    /// Makes a new key, and the text of its file.
    package static func newKey() throws(SigningError) -> (key: PrivateKey, text: String) {
        let bytes = (0..<keyLength).map { _ in UInt8.random(in: .min ... .max) }
        return (try PrivateKey(bytes), "\(begin)\n\(Base64.encode(introduction + bytes, .standard))\n\(end)\n")
    }

    /// Reads the 32 bytes of a key. There may be other text and other keys before it, and its public key after it (RFC 5958).
    package static func bytes(in text: [UInt8]) throws(Problem) -> [UInt8] {
        guard let start = text.firstRange(of: Array(begin.utf8))?.upperBound else { throw .otherForm }
        guard let end = text[start...].firstRange(of: Array("\n\(end)".utf8))?.lowerBound,
            let der = Base64.decode(text[start..<end].filter { !ASCII.isWhiteSpace($0) }, .standard), der.count > 1
        else { throw .damaged }
        let head = der.prefix(introduction.count)
        guard Int(der[1]) + 2 == der.count, der.count >= introduction.count + keyLength,
            head[2..<4].elementsEqual(introduction[2..<4]), head[5...].elementsEqual(introduction[5...])
        else { throw der.firstRange(of: ed25519) == nil ? .otherAlgorithm : .otherForm }
        return Array(der[introduction.count...].prefix(keyLength))
    }
}

extension PrivateKeyFile.Problem: CustomStringConvertible {
    /// The problem with the file and the solution, without any of its content.
    package var description: String {
        let convert = "'openssl pkey -in FILE -out NEWFILE' converts a key in another form"
        let make = "'referral-tool key --out FILE' or 'openssl genpkey -algorithm ed25519' writes a private key"
        return switch self {
        case .otherForm: "it contains no private key in PKCS #8 and PEM, without a password; \(convert)"
        case .otherAlgorithm: "it is a key for an algorithm other than Ed25519; \(make)"
        case .damaged: "it is damaged or cut off; \(make)"
        }
    }
}

// MARK: - Keys where none belong

extension PrivateKeyFile {
    /// Whether a text contains a key in this file's format, as PEM or only its base64.
    package static func isKey(_ text: String) -> Bool {
        // The base64 of the bytes from the algorithm to the key, without the digits that share a byte with others.
        text.contains("PRIVATE KEY-----") || text.contains("BQYDK2VwBCIEI")
    }
}
