import ReferralFoundation
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
        if let status = file.status, status.isKind(S_IFREG), status.st_mode & (S_IRGRP | S_IROTH) != 0 {
            ByteStream.note("others may read the private key in \(quoted: path); chmod 600 prevents this")
        }
        do { key = try PrivateKey(bytes) } catch { throw .signing(error) }
    }
}

extension ToolError {
    /// An error of the system's cryptography.
    static func signing(_ error: SigningError) -> ToolError { .init(status: .unavailable, message: "\(reason: error)") }
}
