import ReferralBridge
import Signing
import SiteCheck

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `referral-tool key`: makes a private key, or prints the public key that belongs to it.
enum KeyCommand: Command {
    private static let output = Option("--out", "FILE", "the file for a new private key, which must not be there yet")
    private static let file = Option("--public", "FILE", "the file of a private key that is there already")

    static let name = "key"
    static let summary = "makes a key that signs links and catalogues"
    static let overview = """
        Makes a private key, which signs links and catalogues, and prints the public key, which an app needs to check them.
        """
    static let usages: [[Usage]] = [[.either([.required(output)], [.required(file)])]]
    static let notes = """
        Keep the private key where only those who make links can read it, and keep a copy: nobody can make it again. Who has it
        can make links that your app takes for yours. The public key goes into the app; it is no secret.

        The key is for Ed25519, in PKCS#8 and PEM, as 'openssl genpkey -algorithm ed25519' writes it.
        """
    static let example = "referral-tool key --out signing-key.pem"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        switch (arguments.text(of: output), arguments.text(of: file)) {
        case (let path?, nil): try write(newKeyTo: path)
        case (nil, let path?): try write(try privateKey(in: path))
        case (nil, nil): throw .usage("which key? --out FILE makes one, --public FILE prints the public key of one")
        default: throw .usage("give either --out or --public, not both")
        }
        return .done
    }

    private static func write(newKeyTo path: String) throws(ToolError) {
        let failure = try PrivateKeyFile.withNewKey { key, text throws(ToolError) in
            try ByteStream.create(path, with: text)
            try write(key)
        }
        if let failure { throw .signing(failure) }
    }

    private static func write(_ key: PrivateKey) throws(ToolError) {
        try ByteStream.output.write(key.publicKey.base64EncodedString() + "\n")
    }

    /// Reads a private key. A file that others may read too is a warning.
    static func privateKey(in path: String) throws(ToolError) -> PrivateKey {
        let hint = "; name the file of a private key"
        let stream: ByteStream
        do { stream = try ByteStream(reading: path) } catch {
            throw ToolError(status: error.status, message: error.message.map { $0 + hint })
        }
        defer { stream.close() }
        // `readAll` would leave copies of the key in memory.
        let key = try ErasedBytes.with(PrivateKeyFile.maximumLength + 1) { buffer throws(ToolError) in
            var count = 0
            while count < buffer.count {
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let more = try stream.read(into: room)
                guard more > 0 else { break }
                count += more
            }
            guard count < buffer.count else {
                throw .badData("cannot use \(path.quoted): it is too long for a private key\(hint)")
            }
            do throws(PrivateKeyFile.Problem) {
                return try PrivateKeyFile.key(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                throw .badData("cannot use \(path.quoted): \(error)")
            }
        }
        if stream.isOpenToOthers {
            try? ByteStream.error.write(
                "referral-tool: others may read the private key in \(TerminalText.escaped(path.quoted)); "
                    + "chmod 600 keeps them out\n"
            )
        }
        do { return try key.get() } catch { throw .signing(error) }
    }
}

extension ToolError {
    /// An error of the system's cryptography.
    static func signing(_ error: SigningError) -> ToolError {
        ToolError(status: .unavailable, message: error.description)
    }
}
