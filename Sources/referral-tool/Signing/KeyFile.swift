import ReferralSigning

/// The file of a private key, and the key in it.
final class KeyFile: Sendable {
    let key: PrivateKey

    /// Open while the command runs, so that the key isn't overwritten.
    let stream: ByteStream

    /// Reads a private key. Warns if others may read the file.
    init(_ path: String) throws(ToolError) {
        let hint: Sentence = "; name the file of a private key"
        let file: ByteStream
        do { file = try ByteStream(reading: path) } catch {
            throw ToolError(status: error.status, message: error.message.map { $0 + hint })
        }
        stream = ByteStream(descriptor: file.descriptor, name: "the private key's file")
        guard let text = try file.readAll(atMost: PrivateKeyFile.maximumLength) else {
            throw .badData("can't use \(quoted: path): it is too long for a private key\(hint)")
        }
        let bytes: [UInt8]
        do { bytes = try PrivateKeyFile.bytes(in: text) } catch {
            throw .badData("can't use \(quoted: path): \(reason: error)")
        }
        if file.isOpenToOthers {
            ByteStream.note("others may read the private key in \(quoted: path); chmod 600 prevents this")
        }
        do { key = try PrivateKey(bytes) } catch { throw .signing(error) }
    }
}

extension ToolError {
    /// An error of the system's cryptography.
    static func signing(_ error: SigningError) -> ToolError { .init(status: .unavailable, message: "\(reason: error)") }
}

/// The signers whose links count.
enum Signers {
    static let form: Sentence = "a public key is 32 bytes in base64, as 'referral-tool key --public FILE' prints it"

    /// The verifier for these keys.
    static func verifier(for publicKeys: [PublicKey]) throws(ToolError) -> any SignatureVerifier {
        do { return try makeVerifier(for: publicKeys) } catch { throw .signing(error) }
    }
}
