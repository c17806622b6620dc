import DataHandoff
import ReferralFoundation

/// The report on a link or a package.
struct HandoffReport {
    private var members: [(name: String, value: Value)] = []
    private var manifest: HandoffManifest?
    private var package: HandoffPackage?
    private var error: HandoffError?
    private var isOldAddress = false

    private enum Value {
        case text(String)
        case number(Int)
    }

    init(link: String) {
        do {
            switch try HandoffLink.parse(link) {
            case .request(let nonce, let key):
                members = [("kind", .text("request")), ("nonce", .text(nonce.hexadecimal))]
                if let key { members.append(("publicKey", .text(key.hexadecimal))) }
            case .receipt(let nonce, let digest, let proof):
                members = [
                    ("kind", .text("receipt")), ("nonce", .text(nonce.hexadecimal)), ("digest", .text(digest)),
                ]
                if let proof { members.append(("proof", .text(proof.hexadecimal))) }
            case .answer(let nonce, let package):
                read(package)
                if let nonce { members.insert(("nonce", .text(nonce.hexadecimal)), at: 1) }
            }
        } catch {
            self.error = error
            if error == .notALink, OldAddress.hasForm(link) { readOldAddress(link) }
        }
    }

    /// Reads the one file in an address of 2009. The app that it is for isn't known, so any address is read.
    private mutating func readOldAddress(_ link: String) {
        do throws(HandoffError) {
            let address = String(link.prefix { $0 != "?" })
            let file = try OldAddress(address).file(in: link)
            // The default name that an app gives the file, and the names that aren't shown.
            let package = try HandoffPackage(files: [("data", file)], schema: 0, from: "-", to: "-")
            members = [
                ("kind", .text("address of 2009")), ("address", .text(address)), ("totalLength", .number(file.count)),
            ]
            (manifest, self.package, error, isOldAddress) = (package.manifest, package, nil, true)
        } catch {
            self.error = error
        }
    }

    init(package bytes: Data) { read(bytes) }

    private mutating func read(_ bytes: Data) {
        members = [("kind", .text("package"))]
        do throws(HandoffError) {
            let requirements = HandoffRequirements(
                maximumSize: HandoffCommand.maximumSize,
                maximumFileCount: .max
            )
            let envelope = try HandoffEnvelope(bytes: bytes, for: requirements)
            let manifest = envelope.manifest
            self.manifest = manifest
            members += [
                ("codec", .text("\(envelope.codec)")), ("transfer", .text(manifest.transfer)),
                ("created", .number(Int(manifest.created.milliseconds))), ("from", .text(manifest.sender)),
                ("to", .text(manifest.receiver)), ("schema", .number(manifest.schema)),
                ("digest", .text(manifest.digest)), ("totalLength", .number(manifest.totalLength ?? 0)),
            ]
            package = try HandoffPackage(envelope)
        } catch {
            self.error = error
        }
    }

    /// Whether the package is complete and undamaged; `nil` if that can't be determined here.
    private var isWhole: Bool? {
        if isOldAddress { return nil }
        return switch error {
        case nil: true
        case .sealed, .codecUnavailable, .tooLarge: nil
        default: false
        }
    }

    /// The problem with the package, or the reason why it can't be read.
    var message: Sentence? {
        if isOldAddress { return "An address of 2009 has no digest, so it isn't known whether the file is complete." }
        return error == .tooLarge
            ? "The package contains more than \(HandoffCommand.maximumSize) bytes of files, too many for this command."
            : error.map { "\(reason: $0)" }
    }

    var status: ExitStatus {
        switch isWhole {
        case true?: .done
        case nil: .nothingFound
        case false?: .badData
        }
    }

    func extract(into folder: String) throws(ToolError) {
        guard let package else {
            throw ToolError(status: status, message: message ?? "\(reason: HandoffError.notAPackage)")
        }
        do { try package.extract(into: URL(fileURLWithPath: folder)) } catch {
            guard case .fileExists(let name) = error else { throw .inputOutput("\(reason: error)") }
            throw .inputOutput("\(quoted: folder) has \(quoted: name) in it; name a new folder, or an empty one")
        }
    }

    /// One line per fact, and then one per file.
    var text: String {
        let width = (members.map(\.name.count).max() ?? 0) + 2
        var text = members.map { name, value in
            let shown =
                switch value {
                case .text(let text): TerminalText.escaped(text)
                case .number(let number) where name == "created":
                    "\(Date(timeIntervalSince1970: Double(number) / 1_000).ISO8601Format()) (\(number))"
                case .number(let number): String(number)
                }
            return name + String(repeating: " ", count: width - name.count) + shown + "\n"
        }
        let lengths = manifest?.files.map { String($0.length) } ?? []
        let column = lengths.map(\.count).max() ?? 0
        for (file, length) in zip(manifest?.files ?? [], lengths) {
            let space = String(repeating: " ", count: column - length.count)
            text.append("\(space)\(length)  \(file.sha256)  \(TerminalText.escaped(file.name))\n")
        }
        return text.joined()
    }

    var json: String {
        let files = manifest?.files.map { file in
            JSONText.object([
                ("name", JSONText.string(file.name)), ("length", String(file.length)),
                ("sha256", JSONText.string(file.sha256)),
            ])
        }
        var object = members.map { name, value in
            switch value {
            case .text(let text): (name, JSONText.string(text))
            case .number(let number): (name, String(number))
            }
        }
        if let files { object.append(("files", JSONWriter.array(files))) }
        object.append(("isWhole", isWhole.map(String.init) ?? "null"))
        if let message { object.append(("message", JSONText.string(message.text))) }
        return JSONText.object(object)
    }
}

private extension OldAddress {
    /// Whether an address has a scheme of its own, and nothing but base64 in its query.
    static func hasForm(_ address: String) -> Bool {
        let parts = WebAddress(address)
        guard let scheme = parts.scheme?.lowercased(), !["http", "https"].contains(scheme), let query = parts.query
        else { return false }
        let digits = query.utf8.prefix(while: isDigit)
        return !digits.isEmpty && query.utf8[digits.endIndex...].allSatisfy { $0 == ASCII.equals }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dash || byte == ASCII.underscore
    }
}
