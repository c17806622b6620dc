import UnlockCatalog

/// `referral-tool catalog`: finds the problems of a catalog and of what belongs to it, and shows its offers.
enum CatalogCommand: Command {
    private enum PlatformName: String, CaseIterable {
        case iOS, macOS, tvOS, visionOS, watchOS
    }

    static let platformNames = PlatformName.allCases.map { Name($0.rawValue) }

    private static let appVersion = Option(
        "--app-version",
        "VERSION",
        "prints the offers that a user with this version of the app sees; requires --platform",
        form: "a version is 1 to 8 numbers separated by dots, such as 2.1"
    ) { VersionNumber($0) == nil ? nil : $0 }
    private static let platform = Option<PlatformName>(
        "--platform",
        "NAME",
        "the platform: iOS, macOS, tvOS, visionOS, watchOS"
    )
    private static let edition = Option("--edition", "NAME", "the edition of the app, such as full")
    private static let language = Option(
        "--language",
        "TAG",
        "a language of the user, en by default; the option can be repeated, in order of preference",
        repeats: true,
        form: "a language is a tag such as de or zh-Hant"
    ) { $0.isEmpty ? nil : $0 }
    private static let json = Flag("--json", "prints a JSON object: catalogs, notLookedAt")

    static let name = "catalog"
    static let summary = "finds errors in a catalog of unlocks"
    static let overview = """
        Reads catalogs for the library Unlocks and prints their invalid and ignored entries, in lines
        FILE:LINE:COLUMN: MESSAGE, and the offers that a user sees. Compares them with the files that they name.
        """
    static let usages: [[Usage]] = [
        [
            .operand(
                "FILE|URL...",
                help: (
                    "FILE|URL",
                    "a catalog, or its address, which the system's curl fetches; - is standard input"
                )
            )
        ] + Usage.optional(appVersion, platform, edition, language, json) + CatalogChecks.usage
    ]
    static let notes = """
        An invalid item, reward or section is left out by itself, and the app uses the others. So is an invalid member that
        only affects how an item is shown, such as a picture. A file that isn't a catalog is rejected as a whole, and the app
        keeps the last valid one. If the app has a public key, it also rejects a catalog without a valid signature. A note is
        about an entry that an app accepts but that is probably a mistake: a member that it ignores or that is repeated, an
        unknown platform, versions or times in the wrong order, a section with an unknown item.

        The offers are one row for each item: its id, its state and its title. They are for a user without purchases, and as
        if the store had all products.

        --files looks for the file boards/gold.json of the item gold at FOLDER/gold/boards/gold.json, and otherwise at
        FOLDER/boards/gold.json. Symbolic links can't lead out of the folder. --write-files changes or adds each length and
        sha256 that is wrong or missing, and nothing else; then increase the revision. It writes nothing if anything else is
        wrong.

        The exit status is 1 if something is left out, differs or is missing, 65 if a file isn't a catalog or its signature
        isn't valid, 66 or 74 if a file can't be read or written, and 69 if curl isn't installed for an address. The other
        files are still read. No catalog is read if the folder can't be read, or, with the status 69, if
        libcrypto is missing for signatures.
        """
    static let example = "referral-tool catalog catalog.json --app-version 2.0 --platform iOS"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw .usage("which catalog? Name files, or addresses") }
        let checks = try CatalogChecks(arguments, for: context(of: arguments))
        let isJSON = arguments.contains(json)
        var reports: [CatalogReport] = []
        var failures: [(file: String, error: ToolError)] = []
        for operand in arguments.operands {
            do throws(ToolError) {
                let report = try CatalogReport(of: operand, checks)
                reports.append(report)
                if !isJSON { try ByteStream.output.write(report.text) }
            } catch {
                guard let message = error.message else { throw error }
                failures.append((operand, error))
                // If the message can't be written, the exit status still reports it.
                ByteStream.note(message)
            }
        }
        if isJSON {
            let failed = failures.map { failure in
                JSONText.object([
                    ("file", JSONText.string(failure.file)),
                    ("message", JSONText.string(failure.error.message?.text ?? "")),
                ])
            }
            let object = [
                ("catalogs", JSONWriter.array(reports.map(\.json))), ("notLookedAt", JSONWriter.array(failed)),
            ]
            try ByteStream.output.write(JSONText.object(object) + "\n")
        }
        if let worst = failures.map(\.error.status).max(by: { $0.rawValue < $1.rawValue }) { return worst }
        return reports.contains(where: \.hasProblems) ? .problemsFound : .done
    }

    /// The app and user for whom offers are shown; `nil` if they weren't requested.
    private static func context(of arguments: Arguments) throws(ToolError) -> ShopContext? {
        let version = try arguments.value(of: appVersion)
        let platform = try arguments.value(of: platform)
        let languages = try arguments.values(of: language)
        if let version, let platform {
            return ShopContext(
                appVersion: version,
                platform: CatalogItem.Platform(rawValue: platform.rawValue),
                edition: try arguments.value(of: edition),
                languages: languages
            )
        }
        let given: [any AnyOption] = [appVersion, Self.platform, edition, language]
        guard let lone = given.first(where: arguments.contains) else { return nil }
        throw .usage("\(name: lone.name) selects the offers to print: give both --app-version and --platform")
    }
}
