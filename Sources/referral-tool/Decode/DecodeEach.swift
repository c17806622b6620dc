/// `referral-tool decode --each`: judges each line of a log by itself, in constant memory.
enum DecodeEach {
    static let flag = Flag("--each", "judges each line of a log by itself")

    static let usage = RowJob.usage + [RowJob.log]

    static func run(_ arguments: Arguments, _ judge: Judge, explains: Bool) throws(ToolError) -> ExitStatus {
        let job = try RowJob(arguments, format: .txt)
        let work = DecodeWork(judge, remedy: explains ? Remedy(judge: judge) : nil)
        return try job.run(RowWriter(from: .txt, to: .jsonl, columns: nil, added: ""), { work }) { counts in
            let verdicts = Verdict.allCases.flatMap { verdict in
                counts.verdicts.filter { $0.verdict == verdict }.map {
                    "\(name: CountText.grouped($0.count)) \(name: verdict.rawValue)" as Sentence
                }
            }
            let count = CountText.count(counts.rows, "string")
            return verdicts.isEmpty ? [] : ["\(name: count): \(verdicts.joined(separator: ", "))"]
        }
    }
}

/// Writes the judgment on a line as an object.
struct DecodeWork: RowWork {
    private let judge: Judge
    /// Adds the reason.
    private let remedy: Remedy?
    /// Whether a line must be a text: for a reason, signers or landing pages.
    private let needsText: Bool

    init(_ judge: Judge, remedy: Remedy?) {
        (self.judge, self.remedy) = (judge, remedy)
        needsText = remedy != nil || !judge.scanner.signers.isEmpty || !judge.scanner.landingPages.isEmpty
    }

    func append(_ row: Row, to batch: inout Batch) throws(RowError) {
        guard needsText else {
            do throws(ReferralLinkError) {
                try judge.scanner.judge(bytes: row.bytes, now: judge.now, lastReported: judge.reported) {
                    Self.append($0, $1, nil, to: &batch)
                }
            } catch {
                Self.append(error.verdict, nil, nil, to: &batch)
            }
            return
        }
        let text = row.bytes.text ?? ""
        let judgment = judge(text)
        let reason = remedy.map { row.bytes.encodingProblem ?? $0.explanation(of: judgment, text) }
        (judgment.arrival?.referral.payload ?? "").withUTF8Bytes {
            Self.append(judgment.verdict, try? Payload($0), reason, to: &batch)
        }
    }

    private static func append(_ verdict: Verdict, _ payload: Payload?, _ reason: String?, to batch: inout Batch) {
        batch.output.append("{\"verdict\":\"" as StaticString)
        batch.output.append(verdict.rawValue)
        if let payload {
            batch.output.append("\",\"referrer\":" as StaticString)
            append(quoting: payload.referrer, to: &batch.output)
            batch.output.append(",\"timestamp\":" as StaticString)
            batch.output.append(number: payload.timestamp.milliseconds)
            batch.output.append(",\"parameters\":{" as StaticString)
            for (index, parameter) in payload.parameters.enumerated() {
                if index > 0 { batch.output.append(ASCII.comma) }
                append(quoting: parameter.name, to: &batch.output)
                batch.output.append(ASCII.colon)
                append(quoting: parameter.value, to: &batch.output)
            }
            batch.output.append(ASCII.closeBrace)
        } else {
            batch.output.append("\",\"referrer\":null,\"timestamp\":null,\"parameters\":null" as StaticString)
        }
        if let reason { batch.output.append(",\"reason\":" + JSONText.string(reason)) }
        batch.output.append("}\n" as StaticString)
        batch.counts.add(1, verdict)
    }

    private static func append(quoting value: JSONValue, to output: inout ByteBuffer) {
        value.withContent { JSONText.append(quoting: $0, to: &output) }
    }
}
