import ReferralFoundation
import ReferralSigning
import UnlockCatalog

/// The signature of a catalog, in the file beside it: `--sign` and `--verify`.
enum SignatureFile {
    case write(KeyFile)
    case check(publicKey: PublicKey, any SignatureVerifier)

    private static let key = KeyFile.option(
        "--sign",
        "signs each catalog with a private key, and writes the signature to a file beside it, with .sig after its name"
    )
    private static let publicKey = Option(
        "--verify",
        "KEY",
        "checks the signature of each catalog, which is at its name or address with .sig after it, with a public key in base64",
        isConfidential: true,
        form: Signers.form,
        parse: { PublicKey($0) }
    )

    static let usage = Usage.optional(key, publicKey)

    /// Larger than any signature, in bytes.
    private static let maximumLength = 4_096

    /// Returns `nil` without either option.
    init?(_ arguments: Arguments) throws(ToolError) {
        let publicKey = try arguments.value(of: Self.publicKey)
        let key = try arguments.value(of: Self.key)
        guard key == nil || publicKey == nil else { throw .usage("give either --sign or --verify, not both") }
        guard let option: any AnyOption = key != nil ? Self.key : publicKey != nil ? Self.publicKey : nil else {
            return nil
        }
        try CatalogReport.requireNames(in: arguments, for: option)
        if let publicKey {
            self = .check(publicKey: publicKey, try Signers.verifier(for: [publicKey]))
            return
        }
        try CatalogReport.requireFiles(in: arguments, for: option)
        self = .write(try KeyFile(key ?? ""))
    }

    /// The result for a catalog's signature.
    enum Outcome: String {
        case signed, right

        var text: String { self == .right ? "signature valid" : rawValue }
    }

    /// Writes or checks the signature of a catalog.
    func apply(to catalog: String, _ bytes: [UInt8]) throws(ToolError) -> Outcome {
        let message = Data(bytes)
        switch self {
        case .write(let file):
            let signature: Data
            do { signature = try file.key.signature(for: message) } catch { throw .signing(error) }
            let text = Base64.encode(signature, .standard) + "\n"
            try ByteStream.replaceFile(Self.file(of: catalog), with: text, otherThan: [file.stream])
            return .signed
        case .check(let publicKey, let verifier):
            let (file, text) = try Self.text(besides: catalog)
            guard let text, let signature = CatalogSignature.bytes(in: Data(text)),
                verifier.isValid(signature, for: message, publicKey: publicKey)
            else {
                throw .badData(
                    "\(whole: catalog): \(whole: file) contains no signature by this key, so an app would reject it"
                )
            }
            return .right
        }
    }

    private static func text(besides catalog: String) throws(ToolError) -> (file: String, bytes: [UInt8]?) {
        let file = file(of: catalog)
        if CatalogReport.isAddress(catalog) { return (file, try Curl.fetch(file, atMost: maximumLength)) }
        let stream = try ByteStream(reading: file)
        defer { stream.close() }
        return (file, try stream.readAll(atMost: maximumLength))
    }

    /// `.sig` comes after the path and, in an address, before the query, as in `URLCatalogSource`.
    private static func file(of catalog: String) -> String {
        guard CatalogReport.isAddress(catalog) else { return catalog + ".sig" }
        let address = WebAddress(catalog)
        let path = address.path.isEmpty ? "/" : ""
        return catalog[..<address.path.endIndex] + path + ".sig" + (address.query.map { "?" + $0 } ?? "")
    }
}
