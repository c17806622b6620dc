import ReferralFoundation
import ReferralSigning

/// `referral-tool key`: makes a private key, or prints the public key that belongs to it.
enum KeyCommand: Command {
    private static let output = Option("--out", "FILE", "the file for a new private key, which must not exist")
    private static let file = Option("--public", "FILE", "the file of an existing private key")

    static let name = "key"
    static let summary = "makes a key that signs links and catalogs"
    static let overview = """
        Makes a private key, which signs links and catalogs, and prints the public key, which an app needs to check them.
        """
    static let usages: [[Usage]] = [[.either([.required(output)], [.required(file)])]]
    static let notes = """
        Only people who make links should be able to read the private key. Keep a copy: it can't be restored. Anyone who has it
        can make links that your app accepts as yours. The public key goes into the app, and isn't a secret.

        The key is for Ed25519, in PKCS#8 and PEM, as 'openssl genpkey -algorithm ed25519' writes it.
        """
    static let example = "referral-tool key --out signing-key.pem"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        // The operand may be a key, so it isn't repeated.
        guard arguments.operands.isEmpty else { throw .usage("name the file with --out or with --public") }
        let key: PrivateKey
        switch (try arguments.value(of: output), try arguments.value(of: file)) {
        case (let path?, nil): key = try newKey(at: path)
        case (nil, let path?): key = try KeyFile(path).key
        case (nil, nil): throw .usage("which key? --out FILE makes one, --public FILE prints the public key of one")
        default: throw .usage("give either --out or --public, not both")
        }
        try ByteStream.output.write("\(key.publicKey)\n")
        return .done
    }

    private static func newKey(at path: String) throws(ToolError) -> PrivateKey {
        let (key, text): (PrivateKey, String)
        do { (key, text) = try PrivateKeyFile.newKey() } catch { throw .signing(error) }
        try TemporaryFile.create(path, with: text)
        return key
    }
}

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
