import Foundation
import SimulatedRuntime
import TestSupport
import Testing

/// One reader of lines for the logs of all servers.
struct ReportServerTests {
    private typealias Log = ReportLog

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Vectors/logs")

    private struct Figures: Decodable {
        var isReadable: Bool?
        var opened, views, tapped, copied: [String: Int]?
        var robots, prefetches: Int?
    }

    private static let servers = try? readVectors("logs/figures", as: [String: Figures].self)

    @Test("the log of each server has its true figures", arguments: (servers ?? [:]).keys.sorted())
    func figures(name: String) throws {
        let truth = try #require(Self.servers?[name])
        let log = try Data(contentsOf: Self.folder.appending(path: name))
        let options = ["--page", "/get", "--count", "/count", "--referrer-item", "ref"]
        guard truth.isReadable != false else {
            let outcome = try Tool.run(["report", "--log", "-"] + options, input: log)
            #expect(
                outcome.status == 65
                    && outcome.error.contains("isn't an access log that can be read: its first line is")
            )
            return
        }
        let report = try Log.report(log, options)
        #expect(report.figures(\.opened) == truth.opened)
        #expect(report.figures(\.openedCounted) == truth.views)
        #expect(report.figures(\.tapped) == truth.tapped)
        #expect(report.figures(\.copied) == truth.copied)
        #expect(report.lines["robots"] == truth.robots)
        #expect(report.lines["prefetches"] == truth.prefetches)
        #expect(
            report.lines.values.reduce(0, +) == log.split(separator: 10, omittingEmptySubsequences: false).count - 1
        )
    }

    /// Lines in the forms that servers and services document.
    private static let forms = try? readVectors("logs/forms", as: [String: String].self)

    @Test("a line of each form has its time, client and agent", arguments: (forms ?? [:]).keys.sorted())
    func documented(name: String) throws {
        let form = try #require(Self.forms?[name])
        func line(_ client: String, _ minute: Int, _ agent: String = Log.phone) -> String {
            let values = [
                "CLIENT": client, "MM": String(minute), "AGENT": agent, "SECONDS": String(1_795_946_400 + minute * 60),
            ]
            return values.reduce(form) { $0.replacing($1.key, with: $1.value) } + "\n"
        }
        // A visit of 20 minutes, one of another client, one after a pause, and a robot.
        let log =
            line("203.0.113.5", 10) + line("203.0.113.5", 30) + line("203.0.113.6", 15) + line("203.0.113.6", 45)
            + line("203.0.113.7", 50, "curl/8.5.0")
        let report = try Log.report(log, "--referrer-item", "ref")
        let hasAgents = form.contains("AGENT")
        #expect(report["anna"]?.opened == (hasAgents ? 3 : 4))
        #expect(report.lines["robots"] == (hasAgents ? 1 : 0))
        #expect(report.notes.contains { $0.contains("no agents, so robots can't be told apart") } == !hasAgents)
    }

    @Test("what a log can't show is noted")
    func notes() throws {
        func notes(_ log: String, _ options: String...) throws -> String {
            try Log.report(Data(log.utf8), options).notes.joined(separator: "\n")
        }
        let line = Log.line("/get?via=anna")
        #expect(try notes(line) == "")
        #expect(try notes(line.replacing(" +0000", with: "")).contains("its times name no zone, and are read as UTC"))
        #expect(
            try notes(String(repeating: line, count: 10)).contains(
                "more than half of the requests come from one address"
            )
        )
        for client in ["-", "0.0.0.0", "::", "127.0.0.1", "::1", "unix:"] {
            let log = String(repeating: Log.line("/get?via=anna", client: client), count: 2)
            #expect(
                try notes(log).contains("requests without a client's address, each of which is a visit (2)"),
                "\(client)"
            )
            #expect(try Log.report(log)["anna"]?.opened == 2)
        }
        let other = try notes(
            Log.line("/offer?via=anna") + Log.line("/tap?event=tap", method: "POST", status: 405),
            "--page",
            "/get",
            "--count",
            "/tap"
        )
        #expect(other.contains("no request for /get\n/offer names a referrer, and isn't a page that counts (1)"))
        #expect(other.contains("/tap was answered 405; answer it with 204 (1)"))
    }

    @Test("an agent that is missing is a robot's only if another line of the log has one")
    func missingAgents() throws {
        let without = Log.line("/get?via=anna", agent: "-")
        #expect(try Log.report(without)["anna"]?.opened == 1)
        let report = try Log.report(without + Log.line("/logo.png"))
        #expect(report.referrers.isEmpty && report.lines["robots"] == 1)
    }

    @Test("each line of mutated logs is counted", arguments: 0..<UInt64(samples(3, long: 10)))
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        var lines: [[UInt8]] = []
        for name in (Self.servers ?? [:]).keys.sorted() {
            lines += try Data(contentsOf: Self.folder.appending(path: name)).split(separator: 10).map { Array($0) }
        }
        for _ in 0..<100 {
            var bytes: [UInt8] = (0..<20).flatMap { _ in (lines.randomElement(using: &random) ?? []) + [10] }
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        contentsOf: Array("\"[]\\ \n\t{}%0".utf8).shuffled(using: &random).prefix(2),
                        at: place
                    )
                default: bytes.replaceSubrange(place..<min(bytes.count, place + 9), with: bytes.prefix(5))
                }
            }
            let report = try Log.report(Data(bytes + Array(Log.line("/get?via=last").utf8)))
            let count = bytes.count { $0 == 10 } + 1
            #expect(report.lines.values.reduce(0, +) == count)
        }
    }
}
