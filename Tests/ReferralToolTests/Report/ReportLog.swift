import Foundation
import Testing

/// Lines of access logs, and reports of them.
struct ReportLog {
    static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1"

    /// A line of the Combined format.
    static func line(
        _ target: String,
        at time: String = "01/Oct/2026:09:30:00 +0000",
        client: String = "203.0.113.7",
        method: String = "GET",
        status: Int = 200,
        agent: String = phone
    ) -> String {
        "\(client) - - [\(time)] \"\(method) \(target) HTTP/1.1\" \(status) 512 \"-\" \"\(agent)\"\n"
    }

    /// Lines of visits with referrers, each of another client.
    static func lines(for referrers: [String]) -> String {
        referrers.enumerated().map { index, name in
            let text = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return line("/get?via=\(text)", client: "203.0.113.\(index)")
        }.joined()
    }

    /// A report in JSON.
    struct Report: Decodable {
        struct Figures: Decodable {
            var opened, openedCounted, tapped, copied, arrived: Int?
            var events: [String: Int]?
        }

        struct Row: Decodable {
            var referrer, road, group, label: String?
            var counts: Figures
        }

        var lines: [String: Int]
        var notes: [String]
        var notLines: [String]
        var referrers, roads: [Row]

        /// The numbers for a referrer.
        subscript(referrer: String) -> Figures? { referrers.first { $0.referrer == referrer }?.counts }

        func group(_ name: String) -> Figures? { referrers.first { $0.group == name }?.counts }

        /// A number of each referrer that has it; `(none)` is that of nobody.
        func figures(_ measure: (Figures) -> Int?) -> [String: Int] {
            let pairs = referrers.compactMap { row in
                measure(row.counts).map { (row.referrer ?? "(\(row.group ?? ""))", $0) }
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
    }

    /// The report of a log on standard input.
    static func report(_ log: String, _ options: String...) throws -> Report { try report(Data(log.utf8), options) }

    static func report(_ log: Data, _ options: [String] = []) throws -> Report {
        try report(options + ["--log", "-"], input: log)
    }

    static func report(_ arguments: [String], input: Data = Data()) throws -> Report {
        let outcome = try Tool.run(["report", "--json", "-"] + arguments, input: input)
        try #require(outcome.status == 0, "\(outcome.error)")
        return try JSONDecoder().decode(Report.self, from: outcome.bytes)
    }
}
