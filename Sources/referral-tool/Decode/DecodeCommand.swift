import ReferralSigning

/// `referral-tool decode`: reads the strings of a pasteboard, and prints the referrer or the reason why there is none.
enum DecodeCommand: Command {
    private static let appID = Option.appID("the app of the referral")
    private static let now = Option.time(
        "--now",
        "the present: now by default, Unix milliseconds, or ISO 8601 with a zone"
    )
    private static let window = Option(
        "--window",
        "DURATION|none",
        "the attribution window, 300s by default: a number of seconds, or a number with ms, s, m, h or d; none accepts a tap of any age",
        form: TimeText.durationForm + ", or none for no limit"
    ) { $0 == "none" ? .infinity : TimeText.duration($0) }
    private static let tolerance = Option(
        "--tolerance",
        "DURATION",
        "how far in the future a tap may be, 30s by default",
        form: TimeText.durationForm,
        parse: TimeText.duration
    )
    private static let host = Option(
        "--host",
        "HOST",
        "a host besides the App Store's; the option can be repeated",
        repeats: true,
        form: "a host is a name such as example.com, without scheme, port or path"
    ) { $0.hasForm(##"[^\x00-\x20\x7F/:@?#\\]+"##) ? $0 : nil }
    private static let reported = Option.time("--reported", "the newest tap that was reported before")
    private static let signer = Option(
        "--signer",
        "KEY",
        "a public key in base64, whose owner's links count; the option can be repeated; without it, all links count",
        repeats: true,
        form: "a public key is 32 bytes in base64, as 'referral-tool key --public FILE' prints it",
        parse: { PublicKey($0) }
    )
    private static let play = Flag("--play", "judges texts that Google Play passes to an app on Android, not links")
    private static let json = Flag("--json", "prints a JSON object, even without a referral")
    private static let explain = Flag(
        "--explain",
        "prints index, verdict and reason of each string on standard error, and what may be wrong; with --each, adds both as reason"
    )
    private static let landing = Option(
        "--landing",
        "ADDRESS",
        """
        a landing page, such as https://example.com/get: all strings are judged as if the user pasted them, and its addresses count, \
        such as https://example.com/get?via=anna; without --referrer-item, a * at its end is the referrer, as in \
        https://example.com/for/*; the option can be repeated
        """,
        repeats: true,
        form: "a landing page is your own page; its address begins with https:// or http:// and a host"
    ) { text in
        let page = try? LandingTemplate(address: text, item: "via", handedOn: [])
        return page == nil || LandingTemplate.isAppStore(text) ? nil : text
    }

    static let name = "decode"
    static let summary = "finds the referral in copied strings, or the reason why there is none"
    static let overview = "Finds the referral in the strings of a pasteboard and prints its referrer."

    private static let scannerUsage: [Usage] =
        [.required(appID)]
        + Usage.optional(now, window, tolerance, host, landing)
        + Usage.optional(LandingItem.referrer, LandingItem.handedOn, reported, signer)

    static let usages: [[Usage]] = [
        scannerUsage + Usage.optional(json, explain)
            + [
                .operand(
                    "[STRING...]",
                    help: ("STRING", "a string of the pasteboard; without any, each line of standard input is one")
                )
            ],
        [.required(DecodeEach.flag)] + scannerUsage + Usage.optional(explain) + DecodeEach.usage,
        [.required(play)] + Usage.optional(now, tolerance, reported, json, explain)
            + [.operand("[STRING...]", help: nil)],
    ]

    static let notes = """
        Without a referral the exit status is 1, and standard error counts the verdicts.

        With --each, every line of a log is judged by itself. For each there is a line of output, in order: a JSON object with
        verdict, referrer, timestamp and parameters. Use --window none to read an old log. Standard error counts the verdicts.

        With --play, each string is what an app on Android gets from InstallReferrerClient: items such as ed=… and utm_source=….
        There is no app ID in it, and no attribution window, since Google Play keeps it for 90 days.
        """
    static let example =
        "referral-tool link --app-id 1300230302 --referrer spring | referral-tool decode --app-id 1300230302"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let (isEach, isPlay) = (arguments.contains(DecodeEach.flag), arguments.contains(play))
        let names = usages[isEach ? 1 : isPlay ? 2 : 0].flatMap(\.options).map(\.name)
        for option in usages.joined().flatMap(\.options)
        where arguments.contains(option) && !names.contains(option.name) {
            guard isEach || isPlay else { throw .usage("\(name: option.name) requires --each") }
            throw .usage("\(name: option.name) can't be used with \(name: isEach ? "--each" : "--play")")
        }
        let scanner = try scanner(of: arguments, isPlay: isPlay)
        let now = try arguments.value(of: now) ?? .now
        let judge = Judge(scanner: scanner, now: now, reported: try arguments.value(of: reported), isPlay: isPlay)
        let explains = arguments.contains(explain)
        if isEach { return try DecodeEach.run(arguments, judge, explains: explains) }
        let given = arguments.operands.isEmpty ? try lines() : arguments.operands.map { ($0, nil) }
        let strings = given.map(\.text)
        let last = arguments.operands.isEmpty ? strings.lastIndex { !$0.utf8.allSatisfy(ASCII.isWhiteSpace) } ?? 0 : 0
        let result = ScanResult(strings.enumerated().map { judge($1, hasMore: $0 < last) })

        if arguments.contains(json) {
            try ByteStream.output.write(json(result))
        } else if let referral = result.referral {
            try ByteStream.output.write(referral.referrer.shown(upTo: .max) + "\n")
        }
        let remedy = Remedy(judge: judge)
        // Of a long list, only the first reasons are shown.
        let shown = explains ? strings.count : result.referral == nil ? min(strings.count, 20) : 0
        var report = result.referral == nil ? "referral-tool: \(summary(result.verdicts))\n" : ""
        for (index, ((string, problem), judgment)) in zip(given, result.judgments).prefix(shown).enumerated() {
            let reason = problem ?? remedy.explanation(of: judgment, string)
            report += "\(index): \(judgment.verdict.rawValue): \(reason)\n"
        }
        let more = shown > 0 ? strings.count - shown : 0
        if more > 0 { report += "and \(more) more; --explain shows them all\n" }
        // If the reasons can't be written, the exit status still reports whether there is a referral.
        try? ByteStream.error.write(report)
        return result.referral == nil ? .nothingFound : .done
    }
}

private extension DecodeCommand {
    /// The lines of standard input. One that is not UTF-8 is an empty string, which isn't a link either, with the reason.
    static func lines() throws(ToolError) -> [(text: String, problem: String?)] {
        let input = RowInput(.input, format: .txt)
        var lines: [(String, String?)] = []
        while let block = try input.next() {
            var scanner = RowScanner(block.bytes, format: .txt)
            while let row = scanner.next() { lines.append((row.bytes.text ?? "", row.bytes.encodingProblem)) }
        }
        return lines
    }

    /// The texts of Google Play name no app, and any tap may be old.
    static func scanner(of arguments: Arguments, isPlay: Bool) throws(ToolError) -> ReferralScanner {
        let appID = isPlay ? 1 : try arguments.requiredValue(of: appID)
        let window = AttributionWindow(
            duration: isPlay ? .infinity : try arguments.value(of: window) ?? AttributionWindow.standard.duration,
            clockTolerance: try arguments.value(of: tolerance) ?? AttributionWindow.standard.clockTolerance
        )
        let signers = try arguments.values(of: signer)
        var verifier: any SignatureVerifier = SystemVerifier()
        if !signers.isEmpty { do { verifier = try makeVerifier(for: signers) } catch { throw .signing(error) } }
        var scanner = ReferralScanner(
            appID: appID,
            window: window,
            additionalHosts: try arguments.values(of: host),
            signers: signers,
            verifier: verifier
        )
        let pages = try arguments.values(of: landing)
        let (item, handedOn) = try LandingItem.names(arguments, hasPage: !pages.isEmpty)
        scanner.landingPages = pages.flatMap(names).compactMap { address in
            guard var page = LandingPage(address: address) else { return nil }
            let isPath = WebAddress(address).path.hasSuffix("*") && !arguments.contains(LandingItem.referrer)
            (page.referrerItem, page.referrerPlace, page.parameterItems) = (item, isPath ? .path : .query, handedOn)
            return page
        }
        return scanner
    }

    /// The page, and its other name: hosts serve the file `get.html` as `/get`.
    static func names(of page: String) -> [String] {
        guard let last = WebAddress(page).path.utf8.last, !"/*".utf8.contains(last) else { return [page] }
        let address = page[..<WebAddress(page).path.endIndex]
        return [page, address.hasSuffix(".html") ? String(address.dropLast(5)) : address + ".html"]
    }

    static func json(_ result: ScanResult) -> String {
        let (referral, judgment) = (result.referral, result.referralIndex.map { result.judgments[$0] })
        let parameters = referral?.claims.parameters.map { (name: $0.name, value: JSONText.string($0.value)) }
        let verdicts = result.judgments.enumerated().map { index, judgment in
            JSONText.object([
                ("index", String(index)), ("verdict", JSONText.string(judgment.verdict.rawValue)),
                ("reason", JSONText.string(judgment.reason)),
            ])
        }
        return JSONText.object([
            ("referrer", referral.map { JSONText.string($0.referrer) } ?? "null"),
            ("timestamp", referral.map { JSONWriter.number($0.timestamp.milliseconds) } ?? "null"),
            ("parameters", parameters.map(JSONText.object) ?? "null"),
            ("index", result.referralIndex.map { String($0) } ?? "null"),
            ("ageMilliseconds", judgment?.ageMilliseconds.map(JSONWriter.number) ?? "null"),
            ("verdicts", "[\(verdicts.joined(separator: ","))]"),
        ]) + "\n"
    }

    /// `no referral in 3 strings: 2 notALink, 1 expired`.
    static func summary(_ verdicts: [Verdict]) -> String {
        guard !verdicts.isEmpty else { return "no referral: there are no strings" }
        let counts = Verdict.allCases.map { verdict in (verdict, verdicts.count { $0 == verdict }) }
        let list = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
        return "no referral in \(verdicts.count) string\(verdicts.count == 1 ? "" : "s"): \(list)"
    }
}

/// A time and a scanner for the strings of a command.
struct Judge: Sendable {
    let scanner: ReferralScanner
    var now: Timestamp
    let reported: Timestamp?
    /// Whether the strings are Google Play's.
    var isPlay = false

    /// Judges a string, or a line of a text that has more lines, in which an address may go on.
    func callAsFunction(_ string: String, hasMore: Bool = false) -> Judgment {
        if isPlay { return scanner.judge(playText: string, now: now, lastReported: reported) }
        // Only what is pasted may be a landing page's address.
        let road = scanner.landingPages.isEmpty ? Road.pasteboard : .pasteButton
        let whole = scanner.judge(string + (hasMore ? "\n-" : ""), on: road, now: now, lastReported: reported)
        let isDecided = !hasMore || whole.error == .cutAddress
        return isDecided ? whole : scanner.judge(string, on: road, now: now, lastReported: reported)
    }
}
