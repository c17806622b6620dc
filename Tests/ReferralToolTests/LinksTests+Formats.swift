import Foundation
import Testing

/// The forms of the rows, which come in and go out.
extension LinksTests {

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
        #expect(try links("referrer;x\nb;1\n", "--from=csv") == "referrer;x;link\nb;1;\(b)\n")
        let options = ["links", "--landing=https://example.com/a,b;c"]
        let landing = try Tool.run(options, input: Data("referrer;x\na;\n\"b\";\n".utf8))
        #expect(
            landing.output == """
                referrer;x;link
                a;;"https://example.com/a,b;c?via=a"
                "b";;"https://example.com/a,b;c?via=b"

                """
        )
        try Tool.inFolder { folder in
            let table = Data("Reason;referrer\n\"1;2\";\n".utf8)
            let outcome = try Tool.run(["links", "--app-id=42", "--at=now", "--rejects", folder + "r"], input: table)
            #expect(outcome.complaints == "standard input:2: referrer: missing\n")
            let rejects = try String(contentsOf: URL(filePath: folder + "r"), encoding: .utf8)
            #expect(rejects == "reason;line;Reason;referrer\nreferrer: missing;2;\"1;2\";\n")
        }
    }

    @Test("columns and members count in any case and with blanks around them, and come out as they are")
    func columnNames() throws {
        let (a, b) = (try Self.link("a", ["Board": "1"]), try Self.link("b", page: "https://apps.apple.com/app/id7"))
        #expect(
            try links(" Referrer ,PARAM.Board\t,Page\na,1,\nb,,https://apps.apple.com/app/id7\n")
                == " Referrer ,PARAM.Board\t,Page,link\na,1,,\(a)\nb,,https://apps.apple.com/app/id7,\(b)\n"
        )
        let object = #"{"Referrer":"a"," Param.Board":"1"}"#
        #expect(
            try links(object, "--from=jsonl") == #"{"Referrer":"a"," Param.Board":"1","link":"\#(a)"}"# + "\n"
        )
        let twice = try Tool.run("links", "--app-id=42", "--from=jsonl", input: #"{"referrer":"a","Referrer":"b"}"#)
        #expect(twice.error == "standard input:1: Referrer: it is given twice\n")
        // Only ASCII letters have another case.
        let kelvin = try Tool.run("links", "--landing=https://example.com", input: "referrer,LIN\u{212A}\na,1\n")
        #expect(kelvin.status == 0)
        #expect(kelvin.output.hasPrefix("referrer,LIN\u{212A},link\n"))
    }

    @Test("JSON lines stay as they are, but for the link")
    func jsonLines() throws {
        let rows = """
            { "referrer":"a" , "n":1.50,"param.b":"" } \t
            {"param.z":"1","param.é":"2","param.b":"x","referrer":"\\u00e9","ct":null}\r

            """
        let (a, e) = (try Self.link("a", ["b": ""]), try Self.link("é", ["b": "x", "z": "1", "é": "2"]))
        #expect(
            try links(rows, "--from", "jsonl") == """
                { "referrer":"a" , "n":1.50,"param.b":"" ,"link":"\(a)"} \t
                {"param.z":"1","param.é":"2","param.b":"x","referrer":"\\u00e9","ct":null,"link":"\(e)"}\r

                """
        )
    }

    @Test(
        "a column whose parameter no page can have is refused once, before any row",
        arguments: [
            "param.Stufe", "param.on", "param.größe", "Param.a-b",
        ]
    )
    func unnamedParameter(_ column: String) throws {
        let table = "referrer,\(column)\na,1\nb,\n"
        let outcome = try Tool.run("links", "--app-id=42", "--to=html", input: table)
        #expect(
            outcome.error
                == "referral-tool: standard input:1: the column '\(column)': on a page, the name of a parameter is a lowercase "
                + "letter, followed by letters, digits, _ or ., but not 'on'\n"
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
            row.error.contains("1: param.é: on a page, the name of a parameter is a lowercase letter, followed by")
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
        let rows = #"{"referrer":"a\u0000b"}"# + "\n" + #"{"referrer":"a","param.pack":"\u0000"}"# + "\n"
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
            let given = try links("t.TSV", "--from=tsv")
            #expect(given.status == 0)
        }
    }
}
