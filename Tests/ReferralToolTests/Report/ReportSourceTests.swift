import Foundation
import Testing

/// The sources of `report`: each is recognized by its content, and counted.
struct ReportSourceTests {
    private typealias Log = ReportLog

    /// The lines of a visit and a tap, with the names of the formats in the report.
    private static let formats: [(kind: String, lines: [String])] = [
        (
            "common",
            [
                #"203.0.113.7 - - [01/Oct/2026:09:30:00 +0000] "GET /get?ref=anna HTTP/1.1" 200 512"#,
                #"203.0.113.7 - pat [01/Oct/2026:09:30:09 +0000] "POST /count?event=tap&ref=anna HTTP/2.0" 204 -"#,
            ]
        ),
        (
            "combined",
            [
                #"2001:db8::7 - - [01/Oct/2026:09:30:00 +0000] "GET /get?ref=anna HTTP/1.1" 200 512 "https://example.com/" "\#(Log.phone)""#,
                #"example.com:443 2001:db8::7 - - [01/Oct/2026:09:30:09 +0000] "GET /count?event=tap&ref=anna HTTP/1.1" 304 0 "-" "a \"b\" c" 0.004"#,
            ]
        ),
        (
            "caddy",
            [
                #"{"level":"info","ts":1790847000.25,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"203.0.113.7","client_ip":"203.0.113.7","proto":"HTTP/2.0","method":"GET","host":"example.com","uri":"/get?ref=anna","headers":{"User-Agent":["\#(Log.phone)"]}},"status":200,"size":512}"#,
                #"{"ts":"2026-10-01T09:30:09.000Z","request":{"remote_ip":"203.0.113.7","method":"POST","uri":"/count?event=tap&ref=anna"},"status":204}"#,
            ]
        ),
        (
            "cloudFront",
            [
                "#Version: 1.0",
                "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query",
                "2026-10-01\t09:30:00\tFRA56-P4\t512\t203.0.113.7\tGET\td111.cloudfront.net\t/get\t200\t-\tMozilla/5.0%20(iPhone)\tref=anna",
                "2026-10-01\t09:30:09\tFRA56-P4\t512\t203.0.113.7\tPOST\td111.cloudfront.net\t/count\t204\t-\tMozilla/5.0%20(iPhone)\tevent=tap&ref=anna",
            ]
        ),
        (
            "cloudflare",
            [
                #"{"ClientIP":"203.0.113.7","ClientRequestMethod":"GET","ClientRequestURI":"/get?ref=anna","ClientRequestUserAgent":"\#(Log.phone)","EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-10-01T09:30:00Z"}"#,
                #"{"ClientIP":"203.0.113.7","ClientRequestMethod":"POST","ClientRequestURI":"/count?event=tap&ref=anna","EdgeResponseStatus":204,"EdgeStartTimestamp":1790847009000000000}"#,
            ]
        ),
    ]

    @Test("a log of each format is recognized, and a log without user agents has no robots", arguments: formats)
    func logs(kind: String, lines: [String]) throws {
        let (report, note) = try Log.report(file: Data(lines.joined(separator: "\n").utf8))
        #expect(note == "referral-tool: standard input is an access log\n")
        #expect(report["anna"]?.opened == 1)
        #expect(report["anna"]?.tapped == 1)
        #expect(report.sources == [kind: 2])
        #expect(report.lines["notALine"] == 0)
    }

    @Test(
        "the client is the first one behind proxies, with or without a host before it",
        arguments: ["", "example.com:80 "]
    )
    func proxies(host: String) throws {
        let lines = [
            "10.0.0.2, 127.0.0.1", "10.0.0.3, 127.0.0.1", "\"10.0.0.4, 127.0.0.1\" 10.0.0.9", "10.0.0.2, 127.0.0.1",
        ].map {
            host + Log.line("/get?ref=anna", client: $0)
        }
        #expect(try Log.report(lines.joined())["anna"]?.opened == 3)
    }

    @Test("Cloudflare's times may be numbers in quotation marks", arguments: ["1790847000", "1790847000000000000"])
    func timesAsText(time: String) throws {
        let line =
            #"{"ClientIP":"203.0.113.7","ClientRequestMethod":"GET","ClientRequestURI":"/get?ref=anna","EdgeResponseStatus":200,"EdgeStartTimestamp":""#
        let outcome = try Tool.run(
            ["report", "--by", "day", "--csv", "-", "--log", "-"],
            input: Data((line + time + "\"}").utf8)
        )
        #expect(outcome.output == "day,opened\n2026-10-01,1\n")
    }

    @Test("lines of all formats in one log are counted, also with CR LF")
    func mixed() throws {
        let lines = Self.formats.flatMap(\.lines)
        let report = try Log.report(lines.joined(separator: "\r\n"))
        #expect(report.sources == ["common": 2, "combined": 2, "caddy": 2, "cloudFront": 2, "cloudflare": 2])
        #expect(report.lines["counted"] == 10)
        #expect(report.lines["comments"] == 2)
    }

    @Test(
        "a log in JSON tells a browser without a user agent from a log without headers",
        arguments: [
            (#"{"User-Agent":["curl/8.5.0"]}"#, "robots"), (#"{"Accept":["*/*"]}"#, "robots"),
            (#"{"User-Agent":["Mozilla/5.0 (iPhone)"],"Sec-Purpose":["prefetch;prerender"]}"#, "prefetches"),
            (#"{"User-Agent":["Mozilla/5.0 (iPhone)"],"X-Purpose":["preview"]}"#, "prefetches"),
            (#"{"User-Agent":["WhatsApp/2.23.20.0"]}"#, "previews"), ("null", "counted"),
        ]
    )
    func headers(headers: String, fate: String) throws {
        let line =
            #"{"ts":1790847000,"request":{"remote_ip":"203.0.113.7","method":"GET","uri":"/get?ref=anna","headers":"#
            + headers + #"},"status":200}"#
        #expect(try Log.report(line).lines[fate] == 1)
    }

    @Test("the app's counts are those of one device or of many, and only the outcome found is an arrival")
    func counts() throws {
        let day = #""day":"2026-10-01""#
        let found = #"{\#(day),"road":"pasteboard","outcome":"found","referrer":"anna","count":3}"#
        let device =
            #"{"version":1,"app":"1300230302","rows":[\#(found),"#
            + #"{\#(day),"event":"first-purchase","referrer":"anna","count":1},"#
            + #"{\#(day),"road":"pasteboard","outcome":"expired","count":2},"#
            + #"{\#(day),"road":"pasteButton","outcome":"found","group":"other","count":4},"#
            + #"{\#(day),"road":"pasteButton","outcome":"found","group":"invitations","count":5},{"day":"soon","count":1}]}"#
        let two = device + "\n" + #"{"version":1,"app":"1300230302","rows":[\#(found)]}"# + "\n{\n"
        for (text, count, exports) in [(device, 3, 1), (two, 6, 2)] {
            let (report, note) = try Log.report(file: Data(text.utf8))
            #expect(note == "referral-tool: standard input is the app's counts\n")
            #expect(report["anna"]?.arrived == count)
            #expect(report["anna"]?.events == ["first-purchase": 1])
            #expect(report.group("other")?.arrived == 4)
            #expect(report.group("invitations")?.arrived == 5)
            #expect(report.outcomes["before"]?["pasteboard"] == ["found": count, "expired": 2])
            #expect(report.sources == ["counts": exports])
            #expect(report.leftOut["rows of the app's counts that can't be read"] == 1)
        }
        let newer = device.replacing("\"version\":1", with: "\"version\":2")
        let refused = try Tool.run("report", "--counts", "-", input: newer)
        #expect(refused.status == 65)
        let reason = "the app's counts are of version 2, and this command reads version 1"
        #expect(refused.error == "referral-tool: standard input: \(reason)\n")
    }

    @Test("of too many roads, outcomes and events, the same ones are counted one by one in any order")
    func manyOutcomes() throws {
        let rows = (100..<200).flatMap { number in
            [
                #"{"day":"2026-10-01","road":"road\#(number)","outcome":"found","count":1}"#,
                #"{"day":"2026-10-01","road":"pasteboard","outcome":"why\#(number)","count":1}"#,
                #"{"day":"2026-10-01","event":"event\#(number)","referrer":"anna","count":1}"#,
            ]
        }
        func report(_ rows: [String]) throws -> Data {
            let text = #"{"version":1,"app":"1300230302","rows":[\#(rows.joined(separator: ","))]}"#
            let outcome = try Tool.run(["report", "--json", "-", "--counts", "-"], input: Data(text.utf8))
            try #require(outcome.status == 0, "\(outcome.error)")
            return outcome.bytes
        }
        let whole = try report(rows)
        #expect(try report(rows.reversed()) == whole)
        let figures = try JSONDecoder().decode(Log.Report.self, from: whole)
        #expect(figures.outcomes["before"]?.count == 65)
        #expect(figures.outcomes["before"]?["pasteboard"]?["other"] == 36)
        #expect(figures["anna"]?.events?["other events"] == 80)
        #expect(figures["anna"]?.events?.count == 21)
        // More rows of names that are kept leave no other out.
        let again = try JSONDecoder().decode(Log.Report.self, from: report(rows + rows.prefix(3)))
        #expect(again["anna"]?.events?.count == 21)
        #expect(again["anna"]?.events?["event100"] == 2)
    }

    @Test("names that look alike but are other bytes are two names")
    func lookalikes() throws {
        let names = ["\u{E9}", "e\u{301}"]
        let rows = names.flatMap { name in
            [
                #"{"day":"2026-10-01","road":"\#(name)","outcome":"\#(name)"}"#,
                #"{"day":"2026-10-01","event":"\#(name)","referrer":"\#(name)"}"#,
            ]
        }
        let text = #"{"version":1,"app":"1300230302","rows":[\#(rows.joined(separator: ","))]}"#
        let counts = try Tool.run(["report", "--json", "-", "--counts", "-"], input: Data(text.utf8))
        // Names are in the order of their bytes.
        let (second, first) = (names[0], names[1])
        #expect(counts.output.contains(#""before":{"\#(first)":{"\#(first)":1},"\#(second)":{"\#(second)":1}}"#))
        #expect(counts.output.contains(#""totals":{"counts":{"events":{"\#(first)":1,"\#(second)":1}}}"#))
        let again = try Tool.run(["report", "--json", "-", "--partial", "-"], input: counts.bytes)
        #expect(again.bytes == counts.bytes)
        let records = names.map { #"{"recordName":"\#($0)","referrer":"anna","day":1790847000000}"# }
        let guestbook = try Tool.run(
            ["report", "--json", "-", "--guestbook", "-"],
            input: Data(records.joined(separator: "\n").utf8)
        )
        #expect(guestbook.output.contains(#""sources":{"guestbook":2}"#))
    }

    @Test("a store's table has a number for each campaign, and what is withheld isn't zero")
    func stores() throws {
        let views =
            "Date\tApp Name\tEvent\tCampaign\tCounts\n2026-10-01\tTrestle\tPage view\tanna\t1,200\n"
            + "2026-10-01\tTrestle\tTap\tanna\t7\n2026-10-01\tTrestle\tPage view\t\t90\n"
        let downloads =
            "Date\tApp Name\tDownload Type\tCampaign\tCounts\n20261001\tTrestle\tFirst-time download\tanna\t12\n"
            + "2026-10-01\tTrestle\tRedownload\tanna\t3\n"
        let campaigns = "Trestle\nOct 2026\n\nCampaign,Product Page Views,First-Time Downloads\nanna,40,5\nbob,30,-\n"
        let play =
            "Date,Package name,UTM source,UTM campaign,Store listing visitors,Store listing acquisitions\n"
            + "2026-10-01,com.example,web,anna,20,6\n2026-10-01,com.example,web,(not set),900,80\n"
        let app = try Log.report(file: Data(views.utf8)).report
        #expect(app["anna"]?.appStoreViews == 1_200)
        #expect(app.leftOut["rows of a store's table without a campaign"] == 1)
        #expect(try Log.report(file: Data(downloads.utf8)).report["anna"]?.appStoreDownloads == 12)
        let analytics = try Log.report(file: Data(campaigns.utf8)).report
        #expect(analytics["anna"]?.appStoreDownloads == 5)
        #expect(analytics["bob"]?.appStoreViews == 30)
        #expect(analytics["bob"]?.appStoreDownloads == nil)
        // Google Play's tables are UTF-16.
        var bytes = Data([0xFF, 0xFE])
        for unit in play.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let (google, note) = try Log.report(file: bytes)
        #expect(note == "referral-tool: standard input is a store's table\n")
        #expect(google["anna"]?.playVisitors == 20)
        #expect(google["anna"]?.playInstalls == 6)
        #expect(google.totals.counts?.playVisitors == 20)
    }

    @Test("a table of links names the people, and says whose a campaign is")
    func links() throws {
        let links =
            "referrer,link,Name,Nick,ct\nu1,https://example.com/get?ref=u1,Anna,A,spring\nu2,https://example.com/get?ref=u2,Bob,,\n,x,,,\n"
        let store = "Campaign,Product Page Views\nspring,40\n"
        try Tool.inFolder([
            "links.csv": Data(links.utf8), "store.csv": Data(store.utf8), "log": Data(Log.line("/get?ref=u2").utf8),
        ]) {
            folder in
            let files = ["log", "store.csv", "links.csv"].map { folder + $0 }
            let report = try Log.report(Data(), files)
            #expect(report["u1"]?.appStoreViews == 40)
            #expect(report["u1"]?.made == 1)
            #expect(report.referrers.map(\.label) == ["Anna", "Bob"])
            #expect(report.leftOut["rows of a table of links without a referrer"] == 1)
            let nicks = try Log.report(Data(), files + ["--name", "nick"])
            #expect(nicks.referrers.map(\.label) == ["A", nil])
            let json = "{\"referrer\":\"u1\",\"link\":\"https://example.com/get?ref=u1\",\"name\":\"Zoë\"}\n"
            #expect(try Log.report(file: Data(json.utf8)).report.referrers.first?.label == "Zoë")
        }
    }

    @Test("a guestbook's record counts once, and is genuine under the name of its creator")
    func guestbook() throws {
        let genuine = "arrival-de518a47fe5fde37bf483601b80bd2aa"
        func record(_ name: String, creator: String) -> String {
            #"{"recordName":"\#(name)","created":{"userRecordName":"\#(creator)","timestamp":1790847000000},"#
                + #""fields":{"program":{"value":"spring"},"referrer":{"value":"anna"},"format":{"value":1},"day":{"value":1790847000000}}}"#
        }
        let records = [
            record(genuine, creator: "_u1"), record(genuine, creator: "_u1"), record("arrival-0", creator: "_u2"),
        ]
        for text in [#"{"records":[\#(records.joined(separator: ","))]}"#, records.joined(separator: "\n")] {
            let (report, note) = try Log.report(file: Data(text.utf8))
            #expect(note == "referral-tool: standard input is records of a guestbook\n")
            #expect(report["anna"]?.invited == 2)
            #expect(report["anna"]?.thanked == 1)
            #expect(report.leftOut == ["records of a guestbook that are there twice": 1])
        }
    }

    @Test(
        "a file that is no source is an error that says what it looks like",
        arguments: [
            ("PK\u{3}\u{4}xl/worksheets", "a spreadsheet or another ZIP archive; save it as CSV"),
            ("<!DOCTYPE html><p>", "a page of HTML"), ("%PDF-1.7", "a PDF"),
            ("BZh91AY", "a file compressed by bzip2; decompress it"),
            ("MZ\0\0", "a binary file"), ("referrer,score\nanna,1\n", "text that begins with 'referrer,score'"),
            (#"{"a":1}"#, #"JSON that begins with '{"a":1}'"#),
            ("203.0.113.7 logged in\n", "text that begins with '[address] logged in'"),
        ]
    )
    func others(text: String, appearance: String) throws {
        let outcome = try Tool.run("report", "-", input: text)
        let sources = "a log, the app's counts, a store's table, links, a guestbook or a report in JSON"
        #expect(outcome.error == "referral-tool: standard input isn't \(sources): it looks like \(appearance)\n")
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
    }
}
