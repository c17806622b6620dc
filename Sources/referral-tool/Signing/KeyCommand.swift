import Signing
import WireText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `referral-tool key`: makes a private key, or prints the public key that belongs to it.
enum KeyCommand: Command {
    private static let output = KeyFile.option("--out", "the file for a new private key, which must not be there yet")
    private static let file = KeyFile.option("--public", "the file of a private key that is there already")

    static let name = "key"
    static let summary = "makes a key that signs links and catalogs"
    static let overview = """
        Makes a private key, which signs links and catalogs, and prints the public key, which an app needs to check them.
        """
    static let usages: [[Usage]] = [[.either([.required(output)], [.required(file)])]]
    static let notes = """
        Keep the private key where only those who make links can read it, and keep a copy: nobody can make it again. Who has it
        can make links that your app takes for yours. The public key goes into the app; it is no secret.

        The key is for Ed25519, in PKCS#8 and PEM, as 'openssl genpkey -algorithm ed25519' writes it.
        """
    static let example = "referral-tool key --out signing-key.pem"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        // It may be a key, so it isn't repeated.
        guard arguments.operands.isEmpty else { throw .usage("name the file with --out or with --public") }
        switch (try arguments.value(of: output), try arguments.value(of: file)) {
        case (let path?, nil): try write(newKeyTo: path)
        case (nil, let path?): try write(try KeyFile(path).key)
        case (nil, nil): throw .usage("which key? --out FILE makes one, --public FILE prints the public key of one")
        default: throw .usage("give either --out or --public, not both")
        }
        return .done
    }

    private static func write(newKeyTo path: String) throws(ToolError) {
        let failure = try PrivateKeyFile.withNewKey { key, text throws(ToolError) in
            try ByteStream.create(path, with: text) { existing(path) }
            try write(key)
        }
        if let failure { throw .signing(failure) }
    }

    /// What a file is that a new key can't replace. A key that was removed can't be made again, so nobody is told to remove one.
    private static func existing(_ path: String) -> String {
        do throws(ToolError) {
            _ = try KeyFile(path)
            let hint = "--public \(path.quoted) prints its public key, and --out takes another name"
            return "it holds a private key already; \(hint)"
        } catch {
            let isOther = error.status == .badData ? ", and holds no private key that signs links" : ""
            return "it is there already\(isOther); name another file"
        }
    }

    private static func write(_ key: PrivateKey) throws(ToolError) {
        try ByteStream.output.write(Base64.encode(key.publicKey, .standard) + "\n")
    }
}
