import ReferralInvitations

/// `referral-tool code`: makes, checks and explains the codes of people who invite others.
enum CodeCommand: Command {
    private static let maximumCount = 1_000_000
    private static let count = Option(
        "--count",
        "N",
        "the number of new codes, 1 by default",
        form: "the number of codes is 1 to 1000000"
    ) { text in Int(text).flatMap { 1...maximumCount ~= $0 ? $0 : nil } }
    private static let item = Option(
        "--item",
        "NAME",
        "the query item of an address that contains the code, ref by default"
    )
    private static let explain = Flag("--explain", "prints the symbols, their values and the two check sums")
    private static let json = Flag("--json", "prints a JSON object: codes")

    static let name = "code"
    static let summary = "makes, checks and explains invite codes"
    static let overview = """
        Makes new invite codes for the library ReferralInvitations. With codes, or addresses that contain one, it checks
        them instead, and says what is wrong.
        """
    static let usages: [[Usage]] = [
        Usage.optional(count, json),
        [.operand("CODE...", help: ("CODE", "a code, or the address of an invitation"))]
            + Usage.optional(explain, item, json),
    ]
    static let notes = """
        A code is 12 digits and letters, such as 4F7K-9Q2M-XRKQ: ten random symbols and two check symbols. It is read in any
        case, with O for 0, and I or L for 1. There is no U. Hyphens, dots and spaces are skipped.

        If a code is mistyped, the codes that differ from it in one symbol, or in the order of two, are suggested. Don't use a
        suggestion without asking: it may be the code of somebody else.

        The exit status is 1 if a code isn't valid.
        """
    static let example = "referral-tool code 4f7k-9q2m-xrkq"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let isJSON = arguments.contains(json)
        guard !arguments.operands.isEmpty else {
            if let lone = [explain as any AnyOption, item].first(where: arguments.contains) {
                throw .usage("\(name: lone.name) requires a code to check")
            }
            try make(arguments.value(of: count) ?? 1, isJSON)
            return .done
        }
        guard !arguments.contains(count) else { throw .usage("--count makes new codes, so it takes no codes to check") }
        let item = try arguments.value(of: item) ?? "ref"
        let checks = arguments.operands.map { CodeCheck($0, item: item) }
        if isJSON {
            try write(checks.map(\.json))
        } else {
            let isExplained = arguments.contains(explain)
            for check in checks { try ByteStream.output.write(check.text(isExplained: isExplained)) }
        }
        return checks.allSatisfy(\.isValid) ? .done : .problemsFound
    }

    private static func make(_ count: Int, _ isJSON: Bool) throws(ToolError) {
        let codes = (0..<count).map { _ in InviteCode.random().text }
        if isJSON {
            try write(codes.map { JSONText.object([("code", JSONText.string($0))]) })
        } else {
            try ByteStream.output.write(codes.map { $0 + "\n" }.joined())
        }
    }

    private static func write(_ codes: [String]) throws(ToolError) {
        try ByteStream.output.write(JSONText.object([("codes", JSONWriter.array(codes))]) + "\n")
    }
}
