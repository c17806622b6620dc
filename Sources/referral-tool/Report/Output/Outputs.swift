/// Where a report is written.
struct Outputs {
    private let html: String?
    private let csv: String?
    private let json: String?
    /// The files that exist already, which must not be read too.
    let streams: [ByteStream]

    init(
        _ arguments: Arguments,
        html: Option<String>,
        csv: Option<String>,
        json: Option<String>
    ) throws(ToolError) {
        self.html = try arguments.value(of: html)
        self.csv = try arguments.value(of: csv)
        self.json = try arguments.value(of: json)
        let paths = [self.html, self.csv, self.json].compactMap(\.self)
        if let path = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw .usage("\(quoted: path) is named for two outputs")
        }
        streams = paths.compactMap { $0 == "-" ? nil : try? ByteStream(reading: $0) }
    }

    func write(_ report: Report) throws(ToolError) {
        if let json { try write(PartialReport.json(report.tally), to: json) }
        if let csv { try write(ReportCSV.text(report), to: csv) }
        if let html { try write(ReportPage.html(report), to: html) }
        if html == nil, csv == nil, json == nil { try ByteStream.output.write(ReportText.text(report)) }
    }

    private func write(_ text: String, to path: String) throws(ToolError) {
        guard path != "-" else { return try ByteStream.output.write(text) }
        try ByteStream.replaceFile(path, with: text, otherThan: [])
    }
}
