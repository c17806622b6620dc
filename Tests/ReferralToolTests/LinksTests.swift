import Foundation
import ReferralBridge
import Testing

/// `referral-tool links`: which link a row gets, and what comes out besides.
struct LinksTests {
    static let at = "1795224750690"

    /// The link that the library makes.
    static func link(
        _ referrer: String,
        page: String = "https://apps.apple.com/app/id42",
        _ parameters: [String: String] = [:]
    ) throws -> String {
        let tap = Timestamp(milliseconds: 1_795_224_750_690)
        let referral = try Referral(referrer: referrer, timestamp: tap, parameters: parameters)
        return try ReferralLink(page: StorePage(parsing: page), referral: referral).address
    }

    /// What comes of a table, whose rows are all good. Columns may set nothing.
    private func links(_ table: String, _ arguments: String...) throws -> String {
        let options = ["links", "--app-id", "42", "--at", Self.at, "--quiet"]
        let outcome = try Tool.run(options + arguments, input: Data(table.utf8))
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
        return outcome.output
    }

    // MARK: Rows

    @Test("everything comes out as it stood, in order, with the link behind it")
    func passesThrough() throws {
        let (anna, bob) = (try Self.link("anna"), try Self.link("b\"ob, jr"))
        #expect(
            try links("note,referrer,\"na\"\"me\"\n a ,anna,\"x,\"\n\"1\n2\",\"b\"\"ob, jr\",é")
                == "note,referrer,\"na\"\"me\",link\n a ,anna,\"x,\",\(anna)\n\"1\n2\",\"b\"\"ob, jr\",é,\(bob)\n"
        )
        #expect(
            try links("\u{FEFF}referrer,x\r\nanna,1\r\n\"anna\",2\r\n")
                == "\u{FEFF}referrer,x,link\r\nanna,1,\(anna)\r\n\"anna\",2,\(anna)\r\n"
        )
        // Blank lines are no rows.
        #expect(try links("referrer,x\n\nanna,1\n\n\n") == "referrer,x,link\nanna,1,\(anna)\n")
        // A quote inside of a cell is a character.
        #expect(try links("referrer,x\nanna,5\" disk\n") == "referrer,x,link\nanna,5\" disk,\(anna)\n")
    }

    @Test("bytes that are no UTF-8 pass through in columns that are not ours")
    func passesBytesThrough() throws {
        let table = Data("referrer,x\nanna,".utf8) + [0xFF, 0xC3] + Data("\n".utf8)
        let outcome = try Tool.run(["links", "--app-id", "42", "--at", Self.at], input: table)
        #expect(
            outcome.bytes == Data("referrer,x,link\nanna,".utf8) + [0xFF, 0xC3]
                + Data(",\(try Self.link("anna"))\n".utf8)
        )
        #expect(outcome.status == 0)
        #expect(outcome.error == "referral-tool: the column 'x' sets nothing in the links\n")
    }

    @Test("a row's own page, campaign and parameters override the options where they are not empty")
    func overrides() throws {
        let ppid = "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"
        let table = """
            referrer,ct,pt,ppid,slug,storefront,page,param.pack,param.a b
            a,,,,,,,,
            b,spring,,,,,,gold,x
            c,spring sale,9,\(ppid),my app,de,,,
            d,x,,,,,https://itunes.apple.com/fr/app/other/id7?l=fr#top,,1
            """
        let output = try links(table, "--pt", "1", "--ct", "std", "--to", "txt").split(separator: "\n").map(String.init)
        let page = "https://apps.apple.com/app/id42?pt=1&ct="
        #expect(
            output == [
                try Self.link("a", page: page + "std&mt=8"),
                try Self.link("b", page: page + "spring&mt=8", ["pack": "gold", "a b": "x"]),
                try Self.link(
                    "c",
                    page: "https://apps.apple.com/de/app/my%20app/id42?ppid=\(ppid)&pt=9&ct=spring%20sale&mt=8"
                ),
                try Self.link(
                    "d",
                    page: "https://itunes.apple.com/fr/app/other/id7?l=fr&pt=1&ct=x&mt=8#top",
                    ["a b": "1"]
                ),
            ]
        )
    }

    @Test("without an option for the page each row has its own")
    func pages() throws {
        let outcome = try Tool.run(
            "links",
            "--at",
            Self.at,
            "--to",
            "txt",
            input: "page,referrer\nhttps://apps.apple.com/app/id42,a\n,b\n"
        )
        #expect(outcome.output == (try Self.link("a")) + "\n")
        #expect(outcome.error == "standard input:3: page: missing, and no --page or --app-id is given\n")
        #expect(outcome.status == 65)
    }

    // MARK: Formats

    @Test("tab-separated rows, in which a quote is a character")
    func tsv() throws {
        let tabs = "referrer\tx\n\"a\"\t1,2\n"
        #expect(try links(tabs, "--from", "tsv") == "referrer\tx\tlink\n\"a\"\t1,2\t\(try Self.link("\"a\""))\n")
        #expect(
            try links(tabs, "--from=tsv", "--to=csv")
                == "referrer,x,link\n\"\"\"a\"\"\",\"1,2\",\(try Self.link("\"a\""))\n"
        )
        #expect(
            try links("referrer,x\na,\"1,2\"\n", "--to=tsv") == "referrer\tx\tlink\na\t1,2\t\(try Self.link("a"))\n"
        )
    }

    @Test(
        "the header of a CSV table tells whether commas, tabs or semicolons separate its cells, and the output keeps them"
    )
    func separators() throws {
        let (a, b) = (try Self.link("a;b"), try Self.link("b"))
        #expect(
            try links("referrer;\"x,\n\ty\"\n\"a;b\";1,5\nb;2\n")
                == "referrer;\"x,\n\ty\";link\n\"a;b\";1,5;\(a)\nb;2;\(b)\n"
        )
        #expect(
            try links("\u{FEFF}\"referrer\"\tx;y\r\n\"a;b\"\t\"1\t2\n\"\r\n")
                == "\u{FEFF}\"referrer\"\tx;y\tlink\r\n\"a;b\"\t\"1\t2\n\"\t\(a)\r\n"
        )
        // A comma comes first, whatever else is in the header.
        #expect(try links("referrer,x;y\tz\nb,1\n") == "referrer,x;y\tz,link\nb,1,\(b)\n")
        #expect(try links("referrer;x\nb;1\n", "--from=csv", "--to=csv") == "referrer;x;link\nb;1;\(b)\n")
        #expect(try links("referrer;x\nb;1,2\n", "--to=tsv") == "referrer\tx\tlink\nb\t1,2\t\(b)\n")
        #expect(try links("referrer\tx\nb\t1,2\n", "--from=tsv", "--to=csv") == "referrer,x,link\nb,\"1,2\",\(b)\n")
        // Without a header, --columns tells it.
        #expect(try links("b;1,2\n", "--columns=referrer;x") == "b;1,2;\(b)\n")
        let options = ["links", "--landing=https://example.com/a,b;c"]
        let landing = try Tool.run(options, input: Data("referrer;x\na;\n\"b\";\n".utf8))
        #expect(
            landing.output == """
                referrer;x;link
                a;;"https://example.com/a,b;c?ref=a"
                "b";;"https://example.com/a,b;c?ref=b"

                """
        )
        try Tool.inFolder { folder in
            let table = Data("Reason;referrer\n\"1;2\";\n".utf8)
            let outcome = try Tool.run(["links", "--app-id=42", "--at=now", "--rejects", folder + "r"], input: table)
            #expect(outcome.complaints == "standard input:2: referrer: missing\n")
            let rejects = try String(contentsOf: URL(filePath: folder + "r"), encoding: .utf8)
            #expect(rejects == "rejected.reason;Reason;referrer\nreferrer: missing;\"1;2\";\n")
        }
    }

    @Test("a header that comes in pieces tells the separator too")
    func slowHeader() throws {
        let outcome = try Tool.shell(
            """
            (printf 'x;"1,\n'; sleep 0.3; printf '2";refe'; sleep 0.3; printf 'rrer\n1;2'; sleep 0.3; printf ';b\n') \
            | referral-tool links --app-id 42 --at \(Self.at) --quiet
            """
        )
        #expect(outcome.output == "x;\"1,\n2\";referrer;link\n1;2;b;\(try Self.link("b"))\n", "\(outcome.error)")
    }

    @Test("columns and members count in any case and with blanks around them, and come out as they are")
    func columnNames() throws {
        let (a, b) = (try Self.link("a", ["Board": "1"]), try Self.link("b", page: "https://apps.apple.com/app/id7"))
        #expect(
            try links(" Referrer ,PARAM.Board\t,Page\na,1,\nb,,https://apps.apple.com/app/id7\n")
                == " Referrer ,PARAM.Board\t,Page,link\na,1,,\(a)\nb,,https://apps.apple.com/app/id7,\(b)\n"
        )
        let object = #"{"Referrer":"a"," Parameters":{"Board":"1"}}"#
        #expect(
            try links(object, "--from=jsonl") == #"{"Referrer":"a"," Parameters":{"Board":"1"},"link":"\#(a)"}"# + "\n"
        )
        let twice = try Tool.run("links", "--app-id=42", "--from=jsonl", input: #"{"referrer":"a","Referrer":"b"}"#)
        #expect(twice.error == "standard input:1: Referrer: it is given twice\n")
        // Only ASCII letters have another case.
        let kelvin = try Tool.run("links", "--landing=https://example.com", input: "referrer,LIN\u{212A}\na,1\n")
        #expect(kelvin.status == 0)
        #expect(kelvin.output.hasPrefix("referrer,LIN\u{212A},link\n"))
        let log = "Text,Link ,Verdict\nx,\(a),1\n"
        for options in [[], ["--column", "LINK"]] {
            let judged = try Tool.run(
                ["decode", "--each", "--app-id=42", "--window=none", "--from=csv", "--quiet"] + options,
                input: Data(log.utf8)
            )
            #expect(
                judged.output.hasPrefix(
                    "Text,Link ,Verdict,decoded.verdict,referrer,timestamp,parameters\nx,\(a),1,found,a,"
                )
            )
        }
        let semicolons = try Tool.run("decode", "--each", "--app-id=42", "--from=csv", input: "x;link\n1;nothing\n")
        #expect(
            semicolons.output == "x;link;verdict;referrer;timestamp;parameters\n1;nothing;notALink;;;\n"
        )
    }

    @Test("JSON lines stay as they are, but for the link")
    func jsonLines() throws {
        let rows = """
            { "referrer":"a" , "n":1.50,"param.b":"" } \t
            {"parameters":{"z":"1","é":"2"},"param.b":"x","referrer":"\\u00e9","ct":null}\r

            """
        let (a, e) = (try Self.link("a", ["b": ""]), try Self.link("é", ["b": "x", "z": "1", "é": "2"]))
        #expect(
            try links(rows, "--from", "jsonl") == """
                { "referrer":"a" , "n":1.50,"param.b":"" ,"link":"\(a)"} \t
                {"parameters":{"z":"1","é":"2"},"param.b":"x","referrer":"\\u00e9","ct":null,"link":"\(e)"}\r

                """
        )
    }

    @Test("tables become JSON lines, and JSON lines a table with the columns of their first object")
    func conversions() throws {
        let a = try Self.link("a")
        #expect(
            try links("referrer,x\na,\"q\"\"\n\u{1B}\"\n", "--to=jsonl")
                == #"{"referrer":"a","x":"q\"\u000a\u001b","link":"\#(a)"}"# + "\n"
        )
        #expect(
            try links(
                #"{"referrer":"a","n":[1,"é"],"b":null}"# + "\n" + #"{"n":"x,y","referrer":"a"}"#,
                "--from=jsonl",
                "--to=csv"
            )
                == "referrer,n,b,link\na,\"[1,\"\"é\"\"]\",,\(a)\na,\"x,y\",,\(a)\n"
        )
        let outcome = try Tool.run(
            "links",
            "--app-id=42",
            "--at=now",
            "--from=jsonl",
            "--to=csv",
            input: "{\"referrer\":\"a\"}\n{\"referrer\":\"b\",\"new\":1}\n"
        )
        #expect(outcome.error.hasPrefix("standard input:2: new: the first object has no such member"))
        #expect(outcome.status == 65)
        let tab = try Tool.run(
            "links",
            "--app-id=42",
            "--at=now",
            "--to=tsv",
            "--quiet",
            input: "referrer,x\na,\"1\t2\"\n"
        )
        #expect(tab.error == "standard input:2: x: TSV can't contain its tab or line break\n")
    }

    @Test(
        "the App Store is no landing page",
        arguments: ["https://apps.apple.com/app/id42", "HTTP://itunes.apple.com:80"]
    )
    func storeAsLandingPage(_ address: String) throws {
        let outcome = try Tool.run("links", "--landing", address, input: "referrer\na\n")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("a landing page is a page of your own, not one of the App Store"))
    }

    @Test(
        "a column whose parameter no page can have is refused once, before any row",
        arguments: [
            ("param.Stufe", "; rename it to 'param.stufe'"), ("param.on", ""), ("param.größe", ""), ("Param.a-b", ""),
        ]
    )
    func unnamedParameter(_ column: String, _ hint: String) throws {
        let table = "referrer,\(column)\na,1\nb,\n"
        let outcome = try Tool.run("links", "--app-id=42", "--to=html", input: table)
        #expect(
            outcome.error
                == "referral-tool: standard input:1: the column '\(column)': on a page the name of a parameter is a small "
                + "letter, then letters, digits, _ or ., and not 'on'\(hint)\n"
        )
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(try Tool.run("links", "--app-id=42", input: table).status == 0)
        let row = try Tool.run(
            "links",
            "--app-id=42",
            "--to=html",
            "--from=jsonl",
            input: #"{"referrer":"a","param.é":"1"}"#
        )
        #expect(
            row.error.contains("1: param.é: on a page the name of a parameter is a small letter, then letters, digits")
        )
    }

    @Test("elements for a page, with nothing in them that HTML would take for its own")
    func html() throws {
        let table = "referrer,ct,param.levelSet,param.pack\n\"a<b>&\"\"'\",x&y,\"\",\"\"\"\n\"\nb,,3,\n"
        #expect(
            try links(table, "--pt=1", "--ct=2", "--to=html") == """
                <a href="https://apps.apple.com/app/id42?pt=1&amp;ct=x%26y&amp;mt=8" data-referrer="a&lt;b&gt;&amp;&quot;&#39;" data-referral-pack="&quot;&#10;">Get the app</a>
                <a href="https://apps.apple.com/app/id42?pt=1&amp;ct=2&amp;mt=8" data-referrer="b" data-referral-level-set="3">Get the app</a>

                """
        )
        let rows = #"{"referrer":"a\u0000b"}"# + "\n" + #"{"referrer":"a","parameters":{"pack":"\u0000"}}"# + "\n"
        let nul = try Tool.run("links", "--app-id=42", "--to=html", "--from=jsonl", input: rows)
        #expect(
            nul.error == """
                standard input:1: referrer: HTML can't contain the character U+0000
                standard input:2: param.pack: HTML can't contain the character U+0000

                """
        )
        #expect(nul.output == "")
        #expect(nul.status == 65)
    }

    @Test("a table without a header has its columns named, and gets no header")
    func namedColumns() throws {
        #expect(
            try links("1,anna\n2,anna", "--columns", "n,referrer") == """
                1,anna,\(try Self.link("anna"))
                2,anna,\(try Self.link("anna"))

                """
        )
        #expect(try links("", "--columns", "n,referrer") == "")
    }

    @Test("the file's name tells its format")
    func fileNames() throws {
        let link = try Self.link("a")
        let files = ["t.TSV": "referrer\tx\na\t1\n", "t.ndjson": "{\"referrer\":\"a\"}\n", "t": "referrer,x\na,1\n"]
        try Tool.inFolder(files.mapValues { Data($0.utf8) }) { folder in
            func links(_ name: String, _ arguments: String...) throws -> Tool.Outcome {
                try Tool.run(["links", folder + name, "--app-id", "42", "--at", Self.at] + arguments)
            }
            #expect(try links("t.TSV").output == "referrer\tx\tlink\na\t1\t\(link)\n")
            #expect(try links("t.ndjson").output == "{\"referrer\":\"a\",\"link\":\"\(link)\"}\n")
            #expect(try links("t").output == "referrer,x,link\na,1,\(link)\n")
            #expect(try links("t.TSV", "--from=tsv").status == 0)
            let contradiction = try links("t.TSV", "--from", "csv")
            #expect(contradiction.status == 64)
            #expect(contradiction.error.contains("is tsv by its name; --from says otherwise"))
        }
    }

    // MARK: Landing pages

    @Test(
        "a landing page takes the referrer from its own address",
        arguments: [
            ("https://example.com/get", [], "https://example.com/get?ref=a%20%26b"),
            ("https://example.com", ["--ref", "von wem"], "https://example.com?von%20wem=a%20%26b"),
            (
                "https://example.com?von+wem=x&von%20wem&von", ["--ref", "von wem"],
                "https://example.com?von&von%20wem=a%20%26b"
            ),
            ("https://example.com?r%65f=x&ref%=y", [], "https://example.com?ref%=y&ref=a%20%26b"),
            (
                "https://example.com?\u{E9}=\u{301}x&e\u{301}=1", ["--ref", "\u{E9}"],
                "https://example.com?e\u{301}=1&%C3%A9=a%20%26b"
            ),
            (
                "HTTP://example.com/?x=%20+&&ref=old&y=#f?ref=1", [],
                "HTTP://example.com/?x=%20+&y=&ref=a%20%26b#f?ref=1"
            ),
            ("https://example.com/?reference=1&ref", [], "https://example.com/?reference=1&ref=a%20%26b"),
        ]
    )
    func landing(address: String, options: [String], link: String) throws {
        let table = Data("referrer,ct\na &b,\n\(String(repeating: "plain", count: 2)),\n".utf8)
        let outcome = try Tool.run(["links", "--landing", address, "--to", "txt"] + options, input: table)
        #expect(outcome.output == link + "\n" + link.replacing("a%20%26b", with: "plainplain") + "\n")
        let reason = "the landing page has its own link to the App Store"
        #expect(outcome.error == "referral-tool: the column 'ct' sets nothing in the links: \(reason)\n")
        #expect(outcome.status == 0)
        let html = try Tool.run(["links", "--landing", address, "--to", "html"] + options, input: table)
        #expect(html.output.hasPrefix("<a href=\"\(link.replacing("&", with: "&amp;"))\">Get the app</a>\n"))
    }

    @Test(
        "to a landing page's link the parts of a page are columns like any other, in a plain row and in one with quotes"
    )
    func landingColumns() throws {
        let table = Data("referrer,ct\na,".utf8) + [0xFF] + Data("\n\"c\",".utf8) + [0xFF] + Data("\n".utf8)
        let options = ["links", "--landing", "https://example.com", "--to", "txt", "--quiet"]
        let outcome = try Tool.run(options, input: table)
        #expect(outcome.output == "https://example.com?ref=a\nhttps://example.com?ref=c\n")
        #expect(outcome.error == "")
        let object = "{\"referrer\":\"a\",\"ct\":7}"
        let json = try Tool.run(options + ["--from=jsonl"], input: Data(object.utf8))
        #expect(json.output == "https://example.com?ref=a\n")
        #expect(json.error == "")
    }

    @Test("a parameter on a landing address without a signature makes a bad row, since the page would never see it")
    func unsignedParameters() throws {
        let reason = "only a signed link to a landing page carries parameters; give --sign, or leave out --landing"
        let landing = ["links", "--landing", "https://example.com", "--to", "txt"]
        let table = "referrer,param.board\na,\nb,wood\n\"c\",\"\"\nd,\"x\"\n"
        let outcome = try Tool.run(landing, input: Data(table.utf8))
        #expect(outcome.output == "https://example.com?ref=a\nhttps://example.com?ref=c\n")
        #expect(outcome.status == 65)
        #expect(
            outcome.error == """
                standard input:3: param.board: \(reason)
                standard input:5: param.board: \(reason)

                """
        )
        let objects = """
            {"referrer":"a","param.board":""}
            {"referrer":"b","param.board":"wood"}
            {"referrer":"c","parameters":{"x":"","pack":"gold"}}
            {"referrer":"d","parameters":{}}

            """
        let json = try Tool.run(landing + ["--from=jsonl"], input: Data(objects.utf8))
        #expect(json.output == "https://example.com?ref=a\nhttps://example.com?ref=d\n")
        #expect(json.status == 65)
        #expect(
            json.error == """
                standard input:2: param.board: \(reason)
                standard input:3: param.pack: \(reason)

                """
        )
    }

    @Test(
        "what sets nothing in the links is named in one line, and what somebody may have meant",
        arguments: [
            ("referrer,email\n", [], "the column 'email' sets nothing"),
            ("email,referrer,ct,note\n", [], "the columns 'email' and 'note' set nothing"),
            (
                "a1,referrer,campaign,a2,Param: board,pags\n", [],
                "the columns 'campaign' (did you mean 'ct'?), 'Param: board' (did you mean 'param.board'?), "
                    + "'pags' (did you mean 'page'?), 'a1' and 'a2' set nothing"
            ),
            ("referrer,campaign,ct,referer,param_x,param.x\n", [], "'campaign', 'referer' and 'param_x' set nothing"),
            ("referrer,parent_id,params,at\n", [], "'params' (did you mean 'param.KEY'?), 'parent_id' and 'at' set"),
            ("c1,c2,c3,c4,c5,c6,c7,c8,c9,referrer\n", [], "'c7', 'c8' and others set nothing"),
            (
                "referrer,ct,email,campaign\n", ["--landing=https://example.com", "--pt=9", "--app-id=42"],
                "--app-id, --pt and the columns 'ct', 'email' and 'campaign' set nothing in the links: "
                    + "the landing page has its own link to the App Store"
            ),
            (
                "referrer\n", ["--landing=https://example.com", "--at=now"],
                "--at sets nothing in the links: the landing"
            ),
            (
                "{\"referer\":\"a\",\"x\":1}\n{\"params\":{},\"x\":2,\"link\":1}\n", ["--from=jsonl", "--to=txt"],
                "the members 'referer' (did you mean 'referrer'?), 'params' (did you mean 'parameters'?), 'x' and 'link' set"
            ),
            ("{\"referer\":\"a\",\"referrer\":\"b\"}\n", ["--from=jsonl"], "the member 'referer' sets nothing"),
        ]
    )
    func ignoredColumns(table: String, options: [String], note: String) throws {
        let page = options.contains { $0.hasPrefix("--landing") } ? [] : ["--app-id=42", "--at=now"]
        let outcome = try Tool.run(["links"] + page + options, input: Data(table.utf8))
        let notes = outcome.error.split(separator: "\n").filter { $0.contains("nothing in the links") }
        #expect(notes.count == 1, "\(outcome.error)")
        #expect(notes.first?.contains(note) == true, "\(outcome.error)")
        #expect(outcome.status == (outcome.error.contains("missing") ? 65 : 0))
        let quiet = try Tool.run(["links", "--quiet"] + page + options, input: Data(table.utf8))
        #expect(!quiet.error.contains("nothing in the links"))
    }

    @Test("without such a column nothing is said, and of many rows the members come in order")
    func ignoredMembers() throws {
        let table = "referrer,ct,pt,ppid,slug,storefront,page,param.x\na,,,,,,,\n"
        #expect(try Tool.run("links", "--app-id=42", "--at=now", input: table).error == "")
        let rows = (0..<50_000).map { "{\"referrer\":\"a\",\"m\($0 / 5_000)\":1,\"k\($0)\":1}\n" }.joined()
        for jobs in ["1", "3"] {
            let outcome = try Tool.run("links", "--app-id=42", "--at=now", "--from=jsonl", "--jobs", jobs, input: rows)
            #expect(
                outcome.error == """
                    referral-tool: the members 'm0', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6' and others set nothing in the links

                    """
            )
        }
    }

    @Test("the last row ends as the first line does, in a plain row and in one with quotes")
    func lastLine() throws {
        for row in ["a", "\"a\""] {
            #expect(try links("referrer\r\n\(row)") == "referrer,link\r\n\(row),\(try Self.link("a"))\r\n")
            #expect(try links("referrer\n\(row)", "--to=txt") == "\(try Self.link("a"))\n")
        }
    }

    @Test("stamped links live as long as the window, and that is said once")
    func warning() throws {
        func error(_ table: String, _ arguments: String...) throws -> String {
            try Tool.run(["links", "--app-id", "42"] + arguments, input: Data(table.utf8)).error
        }
        let table = "referrer\na\nb\n"
        let warning = try error(table)
        #expect(warning.hasPrefix("referral-tool: these links expire in five minutes"))
        #expect(warning.hasSuffix("\n"))
        #expect(warning.split(separator: "\n").count == 1)
        #expect(try error("referrer\na\n") == "")
        for silent in [["--at", "now"], ["--quiet"], ["--to", "html"]] {
            #expect(try Tool.run(["links", "--app-id", "42"] + silent, input: Data(table.utf8)).error == "")
        }
        #expect(try Tool.run("links", "--landing", "https://example.com", input: table).error == "")
        let rows = "referrer\n" + (0..<100_000).map { "r\($0)\n" }.joined()
        #expect(try error(rows, "--jobs", "3").split(separator: "\n").count == 1)
    }

    @Test("cells that a spreadsheet takes for formulas are counted, and guarded where that is asked for")
    func formulas() throws {
        let (anna, equal) = (try Self.link("anna"), try Self.link("=1"))
        func links(_ table: String, _ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(["links", "--app-id", "42", "--at", Self.at] + arguments, input: Data(table.utf8))
        }
        let count =
            "referral-tool: a spreadsheet takes 2 cells for formulas; --guard-formulas puts an apostrophe in front of each\n"
        let table = "referrer,x\nanna,1\nanna,+1\n=1,é\n"
        #expect(try links(table).complaints == count)
        #expect(try links(table).output == "referrer,x,link\nanna,1,\(anna)\nanna,+1,\(anna)\n=1,é,\(equal)\n")
        #expect(
            try links(table, "--guard-formulas").output
                == "referrer,x,link\nanna,1,\(anna)\nanna,'+1,\(anna)\n'=1,é,\(equal)\n"
        )
        #expect(try links(table, "--guard-formulas").complaints == "")
        let objects = "{\"referrer\":\"=1\",\"-x\":\"=\"}\n"
        #expect(
            try links(objects, "--from=jsonl", "--to=tsv", "--guard-formulas").output
                == "referrer\t'-x\tlink\n'=1\t'=\t\(equal)\n"
        )
        #expect(try links(objects, "--from=jsonl", "--to=csv").error.contains(" takes 3 cells for formulas"))
        for format in ["html", "txt", "jsonl"] {
            #expect(try links(table, "--to", format).complaints == "")
            let outcome = try links(table, "--to", format, "--guard-formulas")
            #expect(
                outcome.complaints == "referral-tool: --guard-formulas is for csv and tsv; the output is \(format)\n"
            )
            #expect(outcome.status == 64)
        }
    }
}
