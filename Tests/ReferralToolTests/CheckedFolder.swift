import Foundation

/// Pages in a folder, as `referral-tool check --json` sees them.
struct CheckedFolder {
    struct Finding: Decodable, Equatable, CustomStringConvertible {
        let file: String
        let line: Int
        let column: Int
        let rule: String
        let message: String

        /// Such as `no-link 3:14`.
        var description: String { "\(rule) \(line):\(column)" }
    }

    struct Failure: Decodable {
        let file: String
        let message: String
    }

    struct Report: Decodable {
        let findings: [Finding]
        let notLookedAt: [Failure]
        let counts: [String: Int]
    }

    let report: Report
    let status: Int32

    /// Checks a folder.
    ///
    /// - Parameters:
    ///   - files: The folder's files; `referral-bridge.js` is there in any case.
    ///   - arguments: More arguments.
    /// - Throws: What kept it from being run.
    init(_ files: [String: String], _ arguments: [String] = []) throws {
        var data = files.mapValues { Data($0.utf8) }
        if data["referral-bridge.js"] == nil { data["referral-bridge.js"] = Data(try Self.snippet().utf8) }
        let outcome = try Tool.inFolder(data) { try Tool.run(["check", "--json", $0] + arguments) }
        report = try JSONDecoder().decode(Report.self, from: outcome.bytes)
        status = outcome.status
    }

    /// Checks one page in a folder of its own that has the snippet's file.
    static func findings(in page: String, _ arguments: String..., name: String = "page.html") throws -> [Finding] {
        try CheckedFolder([name: page], arguments).report.findings
    }

    static func snippet(_ name: String = "referral-bridge.js") throws -> String {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        return try String(contentsOf: web.appending(path: name), encoding: .utf8)
    }
}
