import UnlockCatalog
import WireText

/// `referral-tool catalog`: what is wrong with a catalog, and what a person sees of it.
enum CatalogCommand: Command {
    private enum PlatformName: String, CaseIterable {
        case iOS, macOS, tvOS, visionOS, watchOS
    }

    static let platformNames = PlatformName.allCases.map(\.rawValue)

    private static let appVersion = Option(
        "--app-version",
        "VERSION",
        "prints what a person with this version of the app sees, together with --platform",
        form: "a version is 1 to 8 numbers with dots between, such as 2.1"
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
        "a language of the person, en by default; the option can be repeated, the favourite first",
        repeats: true,
        form: "a language is a tag such as de or zh-Hant"
    ) { $0.isEmpty ? nil : $0 }
    private static let json = Flag("--json", "prints a JSON object: catalogs, notLookedAt")

    static let name = "catalog"
    static let summary = "finds what is wrong with a catalog of unlocks"
    static let overview = """
        Reads catalogs for the library Unlocks and prints what is left out of them or ignored, in lines
        FILE:LINE:COLUMN: MESSAGE, and what a person sees of them.
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
        ] + Usage.optional(appVersion, platform, edition, language, json) + SignatureFile.usage
    ]
    static let notes = """
        An item or a reward that is wrong is left out by itself; the app goes on with the others. A file that is no catalog
        is refused as a whole, and the app keeps the last good one. So is one without the right signature, if the app has a
        public key. A note is about what an app accepts and nobody can have meant: a member that it ignores or that is there
        twice, a platform without a name of Apple's, versions or times in the wrong order, a page without https.

        What a person sees is one row for each item: its id, its state and its title. It is for somebody who has bought
        nothing, and as if the store knew all products.

        The exit status is 1 if something is left out, 65 if a file is no catalog or its signature is wrong, 66 or 74 if one
        can't be read, and 69 if there is no curl for an address. The other files are still read. Without libcrypto for
        signatures it is 69 too, and no file is read.
        """
    static let example = "referral-tool catalog catalog.json --app-version 2.0 --platform iOS"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw .usage("which catalog? Name files, or addresses") }
        let context = try context(of: arguments)
        let signature = try SignatureFile(arguments)
        let isJSON = arguments.contains(json)
        var reports: [CatalogReport] = []
        var failures: [(file: String, error: ToolError)] = []
        for operand in arguments.operands {
            do throws(ToolError) {
                let report = try CatalogReport(of: operand, in: context, signature)
                reports.append(report)
                if !isJSON { try ByteStream.output.write(report.text) }
            } catch {
                guard let message = error.message else { throw error }
                failures.append((operand, error))
                // If nobody can read it, the exit status still says it.
                try? ByteStream.error.write("referral-tool: \(TerminalText.escaped(message))\n")
            }
        }
        if isJSON {
            let failed = failures.map { failure in
                JSONText.object([
                    ("file", JSONText.string(failure.file)), ("message", JSONText.string(failure.error.message ?? "")),
                ])
            }
            let object = [
                ("catalogs", JSONWriter.array(reports.map(\.json))), ("notLookedAt", JSONWriter.array(failed)),
            ]
            try ByteStream.output.write(JSONText.object(object) + "\n")
        }
        if let worst = failures.map(\.error.status).max(by: { $0.rawValue < $1.rawValue }) { return worst }
        return reports.allSatisfy(\.findings.isEmpty) ? .done : .problemsFound
    }

    /// Who sees the catalog; `nil` if nobody asks.
    private static func context(of arguments: Arguments) throws(ToolError) -> ShopContext? {
        let version = try arguments.value(of: appVersion)
        let platform = try arguments.value(of: platform)
        let languages = try arguments.values(of: language)
        if let version, let platform {
            return ShopContext(
                appVersion: version,
                platform: Platform(rawValue: platform.rawValue),
                edition: try arguments.value(of: edition),
                languages: languages
            )
        }
        let given: [any AnyOption] = [appVersion, Self.platform, edition, language]
        guard let lone = given.first(where: arguments.contains) else { return nil }
        throw .usage("\(lone.name) asks what a person sees: give both --app-version and --platform")
    }
}
