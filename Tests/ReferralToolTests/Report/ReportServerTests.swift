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
        let options = ["--page", "/get", "--count", "/count"]
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
        #expect((report.lines["robots"] ?? 0) + (report.lines["previews"] ?? 0) == truth.robots)
        #expect(report.lines["prefetches"] == truth.prefetches)
        #expect(
            report.lines.values.reduce(0, +) == log.split(separator: 10, omittingEmptySubsequences: false).count - 1
        )
    }

    private static let request: String = #""GET /get?ref=anna HTTP/1.1" 200 512"#
    private static let combined = #"CLIENT - - [29/Nov/2026:10:MM:00 +0000] \#(request) "-" "AGENT""#
    /// Lines in the forms that servers and services document.
    private static let forms: [(name: String, line: String)] = [
        ("Combined", combined), ("Common", "CLIENT - - [29/Nov/2026:10:MM:00 +0000] \(request)"),
        ("Traefik", combined + #" 1 "router@docker" "http://10.0.0.2:80" 0ms"#),
        (
            "Traefik in JSON",
            #"{"ClientAddr":"CLIENT:51000","ClientHost":"CLIENT","DownstreamStatus":200,"RequestMethod":"GET","RequestPath":"/get?ref=anna","StartUTC":"2026-11-29T10:MM:00.1Z","request_User-Agent":"AGENT"}"#
        ),
        (
            "Envoy",
            #"[2026-11-29T10:MM:00.310Z] "GET /get?ref=anna HTTP/2" 200 - 0 154 226 100 "CLIENT" "AGENT" "cc21d9b0-cf5c" "example.com" "10.0.2.1:80""#
        ),
        (
            "Envoy in JSON",
            #"{"start_time":"2026-11-29T10:MM:00.310Z","method":"GET","path":"/get?ref=anna","response_code":200,"downstream_remote_address":"CLIENT:51000","user_agent":"AGENT","x_forwarded_for":null}"#
        ),
        (
            "AWS Application Load Balancer",
            #"h2 2026-11-29T10:MM:00.186641Z app/web/50dc6c495c0c9188 CLIENT:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://example.com:443/get?ref=anna HTTP/2.0" "AGENT" ECDHE-RSA TLSv1.2 arn:aws:targetgroup/web/73e2 "Root=1-58337262" "example.com" "-" 0 2026-11-29T10:MM:00.364000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-""#
        ),
        (
            "Amazon S3",
            #"79a59df900b9 example [29/Nov/2026:10:MM:00 +0000] CLIENT - 3E57427F3EXAMPLE WEBSITE.GET.OBJECT get "GET /get?ref=anna HTTP/1.1" 200 - 512 512 7 6 "-" "AGENT" -"#
        ),
        (
            "Amazon API Gateway",
            #"{"requestId":"a","ip":"CLIENT","requestTime":"29/Nov/2026:10:MM:00 +0000","httpMethod":"GET","path":"/get?ref=anna","status":"200","userAgent":"AGENT"}"#
        ),
        (
            "CloudFront in JSON",
            #"{"date":"2026-11-29","time":"10:MM:00","c-ip":"CLIENT","cs-method":"GET","cs-uri-stem":"/get","cs-uri-query":"ref=anna","sc-status":"200","cs(User-Agent)":"AGENT"}"#
        ),
        (
            "Google Cloud",
            #"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://example.com/get?ref=anna","status":200,"userAgent":"AGENT","remoteIp":"CLIENT"},"timestamp":"2026-11-29T10:MM:00.1Z"}"#
        ),
        (
            "Azure Front Door",
            #"{"time":"2026-11-29T10:MM:00.1Z","properties":{"httpMethod":"GET","requestUri":"https://example.com:443/get?ref=anna","userAgent":"AGENT","clientIp":"CLIENT","httpStatusCode":"200"}}"#
        ),
        (
            "Cloudflare Logpush",
            #"{"ClientIP":"CLIENT","ClientRequestMethod":"GET","ClientRequestURI":"/get?ref=anna","ClientRequestUserAgent":"AGENT","EdgeResponseStatus":200,"EdgeStartTimestamp":SECONDS000000000}"#
        ),
        ("Kubernetes", "2026-11-29T10:MM:09.120345678Z stdout F " + combined),
        ("Docker Compose", "web-1  | " + combined),
        (
            "Caddy in Kubernetes",
            #"2026-11-29T10:MM:09.1Z stderr F {"level":"info","ts":SECONDS.25,"request":{"remote_ip":"10.0.0.7","client_ip":"CLIENT","method":"GET","uri":"/get?ref=anna","headers":{"User-Agent":["AGENT"]}},"status":200}"#
        ),
        (
            "JSON in Docker's JSON",
            #"{"log":"{\"request_time\":\"0.003\",\"msec\":\"SECONDS.250\",\"remote_addr\":\"CLIENT\",\"request\":\"GET /get?ref=anna HTTP/1.1\",\"status\":\"200\",\"http_user_agent\":\"AGENT\"}\n","stream":"stdout","time":"2026-11-29T10:MM:09Z"}"#
        ),
        ("a journal's export", "MESSAGE=" + combined),
        ("syslog, RFC 5424", #"<190>1 2026-11-29T10:MM:09.1+00:00 web nginx 42 - [meta sequenceId="3"] "# + combined),
        ("Varnish", combined.replacing("GET /", with: "GET http://example.com/")),
        ("Squid", combined.replacing("GET /", with: "GET https://example.com/") + " TCP_MISS:HIER_DIRECT"),
        (
            "pino",
            #"{"level":30,"time":SECONDS123,"req":{"method":"GET","url":"/get?ref=anna","headers":{"user-agent":"AGENT"},"remoteAddress":"::ffff:CLIENT"},"res":{"statusCode":200},"msg":"request completed"}"#
        ),
        (
            "Elastic Common Schema",
            #"{"@timestamp":"2026-11-29T10:MM:00.1Z","source":{"ip":"CLIENT"},"url":{"path":"/get","query":"ref=anna"},"http":{"request":{"method":"GET"},"response":{"status_code":200}},"user_agent":{"original":"AGENT"}}"#
        ),
        (
            "Actix",
            #"[2026-11-29T10:MM:00Z INFO  actix_web::middleware::logger] CLIENT \#(request) "-" "AGENT" 0.000431"#
        ),
        ("aiohttp", #"INFO:aiohttp.access:CLIENT [29/Nov/2026:10:MM:00 +0000] \#(request) "-" "AGENT""#),
        ("Daphne", #"CLIENT:51000 - - [29/Nov/2026:10:MM:00] "GET /get?ref=anna" 200 512"#),
        ("WEBrick", "CLIENT - - [29/Nov/2026:10:MM:00 UTC] \(request)"),
        ("a proxy's list of clients", combined.replacing("CLIENT", with: "CLIENT, 10.0.0.2")),
        ("a list of clients at the end", combined.replacing("CLIENT", with: "10.0.0.2") + #" "CLIENT, 10.0.0.3""#),
        ("a port of an IPv6 address", combined.replacing("CLIENT", with: "[::ffff:CLIENT]:443")),
        ("a host before the client", "example.com:443 " + combined),
        ("a user with a space", combined.replacing("- - [", with: "- anna b [")),
    ]

    @Test("a line in the form of each server has its time, its client and its agent", arguments: forms.map(\.name))
    func documented(name: String) throws {
        let form = try #require(Self.forms.first { $0.name == name }?.line)
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
        let report = try Log.report(log)
        let hasAgents = form.contains("AGENT")
        #expect(report["anna"]?.opened == (hasAgents ? 3 : 4))
        #expect(report.lines["robots"] == (hasAgents ? 1 : 0))
        #expect(report.notes.contains { $0.contains("no line has a user agent") } == !hasAgents)
    }

    @Test("what a log can't show is noted")
    func notes() throws {
        func notes(_ log: String, _ options: String...) throws -> String {
            try Log.report(Data(log.utf8), options).notes.joined(separator: "\n")
        }
        let line = Log.line("/get?ref=anna")
        #expect(try notes(line) == "")
        #expect(try notes(line.replacing(" +0000", with: "")).contains("its times name no zone, and are read as UTC"))
        #expect(
            try notes(String(repeating: line, count: 10)).contains(
                "more than half of the requests come from one address"
            )
        )
        for client in ["-", "0.0.0.0", "::", "127.0.0.1", "::1", "unix:"] {
            let log = String(repeating: Log.line("/get?ref=anna", client: client), count: 2)
            #expect(try notes(log).contains("2 requests without a client's address: each is a visit"), "\(client)")
            #expect(try Log.report(log)["anna"]?.opened == 2)
        }
        let other = try notes(
            Log.line("/offer?ref=anna") + Log.line("/tap?event=tap", method: "POST", status: 405),
            "--page",
            "/get",
            "--count",
            "/tap"
        )
        #expect(other.contains("no request for /get; 1 for /offer names a referrer"))
        #expect(
            other.contains(
                "/tap was answered 405 (1 request), so these taps and views aren't counted: answer it with 204"
            )
        )
    }

    @Test("an agent that is missing is a robot's only if another line of the log has one")
    func missingAgents() throws {
        let without = Log.line("/get?ref=anna", agent: "-")
        #expect(try Log.report(without)["anna"]?.opened == 1)
        let report = try Log.report(without + Log.line("/logo.png"))
        #expect(report.referrers.isEmpty && report.lines["robots"] == 1)
    }

    @Test("each line of 1,000 mutated logs is counted", arguments: 0..<10)
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
            let report = try Log.report(Data(bytes + Array(Log.line("/get?ref=last").utf8)))
            let count = bytes.count { $0 == 10 } + 1
            #expect(report.lines.values.reduce(0, +) == count)
        }
    }
}
