import ReferralFoundation
import ReferralSigning
import UnlockCatalog

/// `referral-tool catalog`: finds what is wrong in a catalog, shows its offers, and signs it.
enum CatalogCommand: Command {
    private enum PlatformName: String, CaseIterable {
        case iOS, macOS, tvOS, visionOS, watchOS
    }

    private static let appVersion = Option(
        "--app-version",
        "VERSION",
        "prints the offers that a user with this version of the app sees; requires --platform",
        form: "a version is 1 to 8 numbers separated by dots, such as 2.1"
    ) { VersionNumber($0) == nil ? nil : $0 }
    private static let platform = Option<PlatformName>("--platform", "NAME", "iOS, macOS, tvOS, visionOS or watchOS")
    private static let edition = Option("--edition", "NAME", "the edition of the app, such as full")
    private static let files = Option("--files", "FOLDER", "compares lengths and digests with the files in a folder")
    private static let write = Flag("--write-files", "writes these lengths and digests into the catalogs")
    private static let key = Option(
        "--sign",
        "FILE",
        "signs each catalog with a private key, and writes the signature to a file beside it, with .sig after its name"
    )

    static let name = "catalog"
    static let summary = "finds errors in a catalog of unlocks"
    static let overview = """
        Reads catalogs for the library Unlocks and prints what is wrong in them, in lines FILE:LINE:COLUMN: MESSAGE.
        """
    static let usages: [[Usage]] = [
        [.operand("FILE...", help: ("FILE", "a catalog; - is standard input"))]
            + Usage.optional(appVersion, platform, edition, files, write, key)
    ]
    static let notes = """
        An app leaves out an invalid item, reward, section or picture by itself. It rejects a file that isn't a catalog as a
        whole, and keeps the last valid one. The offers are for a user without purchases, as if the store had all products.

        --files looks for the file boards/gold.json of the item gold at FOLDER/gold/boards/gold.json, and otherwise at
        FOLDER/boards/gold.json. Symbolic links can't lead out of the folder. --write-files changes or adds each length and
        sha256 that is wrong or missing, unless anything else is wrong; then increase the revision.

        The exit status is 1 if something is left out, differs or is missing. All files are read, whatever is wrong in one.
        """
    static let example = "referral-tool catalog catalog.json --app-version 2.0 --platform iOS"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw .usage("which catalog? Name files") }
        let context = try context(of: arguments)
        let writes = arguments.contains(write)
        guard !writes || arguments.contains(files) else { throw .usage("--write-files requires --files FOLDER") }
        guard !arguments.operands.contains("-") || !writes && !arguments.contains(key) else {
            throw .usage("--write-files and --sign need the file's name, so they can't be used with standard input")
        }
        let key = try arguments.value(of: key).map { path throws(ToolError) in try KeyFile(path) }
        let folder = try arguments.value(of: files).map { path throws(ToolError) in try ItemFileFolder(path) }
        var worst = ExitStatus.done
        for path in arguments.operands {
            var status = ExitStatus.done
            do throws(ToolError) {
                var catalog = try read(path, toWrite: writes)
                let compared = try folder.map { folder throws(ToolError) in
                    try compare(&catalog, with: folder, at: path, writes: writes)
                }
                if let key { try sign(catalog, at: path, with: key) }
                let summary = catalog.summary + (compared ?? []) + (key == nil ? [] : ["signed"])
                let line = "\(catalog.name): \(summary.joined(separator: ", "))".shown(upTo: .max) + "\n"
                try ByteStream.output.write(catalog.lines + line)
                if let context { try ByteStream.output.write(offers(of: catalog.catalog, in: context)) }
                if !catalog.findings.isEmpty { status = .problemsFound }
            } catch {
                guard let message = error.message else { throw error }
                // If the message can't be written, the exit status still reports it.
                ByteStream.note(message)
                status = error.status
            }
            if status.rawValue > worst.rawValue { worst = status }
        }
        return worst
    }

    private static func read(_ path: String, toWrite: Bool) throws(ToolError) -> CatalogFile {
        let stream = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        // An open file is overwritten instead of replaced.
        defer { if path != "-" { stream.close() } }
        guard !toWrite || stream.size != nil else {
            throw .inputOutput("can't write \(quoted: path): it is not a regular file")
        }
        guard let bytes = try stream.readAll(atMost: ShopCatalog.maximumLength) else {
            throw .badData("\(whole: stream.name): \(reason: CatalogError.tooLarge)")
        }
        return try CatalogFile(bytes, named: stream.name)
    }

    /// Compares the items' files, and writes their lengths and digests if nothing else is wrong.
    private static func compare(
        _ catalog: inout CatalogFile,
        with folder: ItemFileFolder,
        at path: String,
        writes: Bool
    ) throws(ToolError) -> [String] {
        let comparison = FileComparison(of: catalog, in: folder)
        let files = CountText.count(comparison.count, "file")
        let edited = comparison.edited
        guard writes, !comparison.hasMissingFiles, edited.count <= ShopCatalog.maximumLength,
            case let new = try CatalogFile(edited, named: catalog.name), new.findings.isEmpty
        else {
            catalog.findings += comparison.findings
            return [files] + (writes ? ["nothing written"] : [])
        }
        if edited != catalog.bytes { try OutputFile(path: path).write(String(decoding: edited, as: UTF8.self)) }
        catalog = new
        return [files, CountText.count(comparison.edits.count, "change")]
    }

    private static func sign(_ catalog: CatalogFile, at path: String, with key: KeyFile) throws(ToolError) {
        let files = RunFiles()
        try files.read(key.stream)
        let output = try files.output(path + ".sig")
        let signature: Data
        do { signature = try key.key.signature(for: Data(catalog.bytes)) } catch { throw .signing(error) }
        try output.write(Base64.encode(signature, .standard) + "\n")
    }

    /// A row for each item. The store isn't asked, so every product counts as known.
    private static func offers(of catalog: ShopCatalog, in context: ShopContext) -> String {
        var holdings = Holdings()
        holdings.price = { _ in "" }
        let rows = catalog.offers(in: context, holdings).map { offer in
            let state =
                switch offer.state {
                case .updateFirst(let minimum): "update to \(minimum) first"
                case .forSale: "for sale"
                case .hidden: "hidden"
                case .included: "included"
                case .free: "free"
                // It depends on what the user has, or on the store.
                default: "unavailable"
                }
            let title = offer.text.map { ": " + $0.title.shown(upTo: .max) } ?? ""
            return (offer.item.id.rawValue.shown(upTo: .max), state + title)
        }
        return rows.isEmpty ? "" : HelpText.table(rows) + "\n"
    }

    /// The app and user for whom offers are shown; `nil` if they weren't requested.
    private static func context(of arguments: Arguments) throws(ToolError) -> ShopContext? {
        let options: [any AnyOption] = [appVersion, platform, edition]
        guard options.contains(where: arguments.contains) else { return nil }
        guard let version = try arguments.value(of: appVersion), let platform = try arguments.value(of: platform) else {
            throw .usage("for the offers to print, give both --app-version and --platform")
        }
        let name = CatalogItem.Platform(rawValue: platform.rawValue)
        let edition = try arguments.value(of: edition)
        return ShopContext(appVersion: version, platform: name, edition: edition, languages: [])
    }
}
