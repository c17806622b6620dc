import ReferralBridge

/// `referral-tool decode`: strings of a pasteboard in, the referrer out, or why there is none.
enum DecodeCommand: Command {
    static let name = "decode"

    static let help = """
        Finds the referral in strings as a pasteboard holds them, and prints its referrer.

        usage: referral-tool decode --app-id ID [--now TIME] [--window DURATION|none] [--tolerance DURATION]
                                    [--host HOST]... [--reported TIME] [--json] [--explain] [STRING...]

          --app-id ID           the app whose referrals count
          --now TIME            the present: now (as it is without it), Unix milliseconds, or ISO 8601 with a zone
          --window DURATION     how long a tap counts: 300s without it; none judges no age
          --tolerance DURATION  how far after now a tap may lie: 30s without it
          --host HOST           a host besides the App Store's; as often as needed
          --reported TIME       the newest tap that was reported before
          --json                one object on standard output, found or not
          --explain             a line for each string on standard error: index, verdict, reason
          STRING                one string of the pasteboard; with none they are read from standard input, one a line

        A duration is a number and one of ms, s, m, h, d, or a number of seconds. The exit status is 1 where there is
        no referral, and standard error says how the strings fell.

        referral-tool decode --each --app-id ID [--now TIME] [--window DURATION|none] [--tolerance DURATION]
                                    [--host HOST]... [--reported TIME] [--from txt|csv|tsv|jsonl] [--column NAME]
                                    [--columns NAMES] [--rejects FILE] [--guard-formulas] [--jobs N] [--quiet]
                                    [FILE]

        judges every string of a log by itself: each line of FILE or of standard input, or the column NAME ('link'
        without it) of each row. A line comes out for each, in order: a JSON object with verdict, referrer, timestamp and
        parameters, or the row with these behind it. To read an old log take --window none. A line on standard error
        counts the verdicts. The other options are those of referral-tool links.

        example: referral-tool link --app-id 1300230302 --referrer spring | referral-tool decode --app-id 1300230302

        On a Mac: pbpaste | referral-tool decode --app-id 1300230302 --explain

        """

    static let options: [Option] =
        [
            .value("--app-id"), .value("--now"), .value("--window"), .value("--tolerance"), .values("--host"),
            .value("--reported"), .flag("--json"), .flag("--explain"),
        ] + DecodeEach.options

    /// How many strings' reasons are printed without `--explain`.
    private static let reasonsAtMost = 20

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard let appID = try arguments.read("--app-id", "an app id is 1 to 19 digits", AppID.init) else {
            throw .usage("--app-id is missing: whose referrals count?")
        }
        let scanner = try scanner(for: appID, arguments)
        let now = try arguments.read("--now", TimeText.timeForm, TimeText.time) ?? .now
        let reported = try arguments.read("--reported", TimeText.timeForm, TimeText.time)
        if arguments.contains("--each") { return try DecodeEach.run(arguments, scanner, now: now, reported: reported) }
        for option in DecodeEach.options where arguments.contains(option.name) {
            throw .usage("\(option.name) goes with --each")
        }
        let (isJSON, isExplained) = (arguments.contains("--json"), arguments.contains("--explain"))
        let reasonsKept = isJSON || isExplained ? Int.max : reasonsAtMost
        func scan(_ strings: some Sequence<String>) -> LongScan {
            LongScan(strings, scanner, now: now, reported: reported, reasonsAtMost: reasonsKept)
        }
        let result: LongScan
        if arguments.strings.isEmpty {
            let lines = InputLines()
            result = scan(lines)
            if let failure = lines.failure { throw failure }
        } else {
            result = scan(arguments.strings)
        }

        if isJSON {
            try writeJSON(result)
        } else if let referral = result.best?.judgment.link?.referral {
            try ByteStream.output.write(TerminalText.escaped(referral.referrer) + "\n")
        }
        // Whether anybody reads it or not, the status says what was found.
        try? explain(result, atMost: isExplained ? .max : result.best == nil ? reasonsAtMost : 0)
        return result.best == nil ? .nothingFound : .done
    }
}

private extension DecodeCommand {
    static func scanner(for appID: AppID, _ arguments: Arguments) throws(ToolError) -> ReferralScanner {
        let window = try arguments.read("--window", TimeText.durationForm + ", or none for no limit") {
            $0 == "none" ? .infinity : TimeText.duration($0)
        }
        let tolerance = try arguments.read("--tolerance", TimeText.durationForm, TimeText.duration)
        for host in arguments.all("--host") where !isHost(host) {
            throw .value(host, of: "--host", "a host is a name such as example.com, without scheme, port or path")
        }
        return ReferralScanner(
            appID: appID,
            window: AttributionWindow(
                duration: window ?? AttributionWindow.standard.duration,
                clockTolerance: tolerance ?? AttributionWindow.standard.clockTolerance
            ),
            additionalHosts: arguments.all("--host")
        )
    }

    static func isHost(_ text: String) -> Bool {
        !text.isEmpty
            && !text.unicodeScalars.contains {
                $0.value <= 0x20 || $0.value == 0x7F || "/:@?#\\".unicodeScalars.contains($0)
            }
    }

    static func writeJSON(_ result: LongScan) throws(ToolError) {
        let referral = result.best?.judgment.link?.referral
        let object = JSONText.object([
            ("referrer", referral.map { JSONText.string($0.referrer) } ?? "null"),
            ("timestamp", referral.map { JSONText.number($0.timestamp.milliseconds) } ?? "null"),
            ("parameters", referral.map { JSONText.parameters(of: $0) } ?? "null"),
            ("index", result.best.map { String($0.index) } ?? "null"),
            ("ageMilliseconds", result.best?.judgment.ageMilliseconds.map(JSONText.number) ?? "null"),
            ("verdicts", "["),
        ])
        var output = LongText(.output)
        try output.append(object.dropLast())
        try result.forEachReason { index, verdict, reason throws(ToolError) in
            let judgment = JSONText.object([
                ("index", String(index)),
                ("verdict", JSONText.string(verdict.rawValue)),
                ("reason", JSONText.string(reason)),
            ])
            try output.append((index > 0 ? "," : "") + judgment)
        }
        try output.append("]}\n")
        try output.finish()
    }

    /// `no referral in 3 strings: 2 notALink, 1 expired`.
    static func summary(_ result: LongScan) -> String {
        let fallen = Verdict.allCases.compactMap { verdict in
            result.fallen[verdict].map { "\($0) \(verdict.rawValue)" }
        }
        let strings = result.count
        return strings == 0
            ? "no referral: there was no string to look at"
            : "no referral in \(strings) string\(strings == 1 ? "" : "s"): \(fallen.joined(separator: ", "))"
    }

    static func explain(_ result: LongScan, atMost limit: Int) throws(ToolError) {
        var explanation = LongText(.error)
        if result.best == nil { try explanation.append("referral-tool: \(summary(result))\n") }
        try result.forEachReason(atMost: limit) { index, verdict, reason throws(ToolError) in
            try explanation.append("\(index): \(verdict.rawValue): \(reason)\n")
        }
        if limit > 0, result.count > limit {
            try explanation.append("and \(result.count - limit) more; --explain shows them all\n")
        }
        try explanation.finish()
    }
}
