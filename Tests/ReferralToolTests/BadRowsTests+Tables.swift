import Foundation
import TestSupport
import Testing

/// Input of which no row can be read.
extension BadRowsTests {
    @Test(
        "what is no table of referrers says so in one line",
        arguments: [
            ("", "standard input is empty; it must begin with the columns' names"),
            ("name,x\na,b\n", "standard input:1: there is no column 'referrer', only 'name', 'x'"),
            ("Referer,x\n", "there is no column 'referrer', only 'Referer', 'x'; did you mean 'referer'?\n"),
            ("referer;ct\n", "there is no column 'referrer', only 'referer', 'ct'; did you mean 'referer'?\n"),
            ("referrer,ct,y,CT\n", "standard input:1: two columns are called 'ct', number 2 and number 4"),
            ("referrer,param.x,Param.x\n", "standard input:1: two columns are called 'param.x', number 2 and number 3"),
            ("referrer,Referrer \n", "standard input:1: two columns are called 'referrer', number 1 and number 2"),
            ("referrer,link\n", "standard input:1: there is a column 'link' already"),
            ("referrer,Param. \n", "'Param. ' isn't the name of a possible parameter"),
            ("referrer,param.timestamp\n", "'param.timestamp' isn't the name of a possible parameter"),
            ("referrer,x\ranna,1\r", "the lines seem to end with CR alone; save the table as CSV UTF-8"),
            ("referrer,\"x\n", "standard input:1: an opening quote has no closing quote"),
            ("\u{7F}ELF\0\0\0\n", "standard input:1: there is a NUL byte; the file is not text, or it is UTF-16"),
            (
                String(repeating: "x", count: (1 << 20) + 1),
                "the first line, which must name the columns, is longer than 1 MiB"
            ),
            (
                (0..<10_000).map { "c\($0)" }.joined(separator: ",") + "\n",
                "no column 'referrer', only 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7' and 9992 more; --referrer-column names another one\n"
            ),
        ]
    )
    func noTable(table: String, message: String) throws {
        let outcome = try links(Data(table.utf8))
        #expect(outcome.complaints.contains(message), "\(outcome.complaints)")
        #expect(outcome.complaints.split(separator: "\n").count == 1)
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
    }

    @Test("UTF-16 is named as such", arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        for mark in ["\u{FEFF}", ""] {
            let table = try #require("\(mark)referrer,x\na,b\n".data(using: encoding))
            let outcome = try links(table)
            #expect(outcome.complaints == "referral-tool: standard input is UTF-16; save it as UTF-8\n")
            #expect(outcome.status == 65)
            #expect(outcome.bytes.isEmpty)
        }
    }

    @Test(
        "a spreadsheet's own file is named as such",
        arguments: ["csv", "tsv", "jsonl"],
        [[0x50, 0x4B, 3, 4], [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]] as [[UInt8]]
    )
    func spreadsheet(format: String, start: [UInt8]) throws {
        let length = samples(200_000, long: 2 << 20)
        for rest in [[], [UInt8](repeating: 10, count: length), [UInt8](repeating: 34, count: length)] {
            let outcome = try links(Data(start + rest), "--from", format)
            #expect(outcome.error == "referral-tool: standard input is a spreadsheet file; save it as CSV\n")
            #expect(outcome.status == 65)
            #expect(outcome.bytes.isEmpty)
        }
    }

    @Test("a header alone is a table without rows")
    func headerOnly() throws {
        for table in ["referrer,x", "referrer,x\r\n"] {
            let outcome = try links(Data(table.utf8))
            #expect(outcome.output == (table.utf8.last == 10 ? "referrer,x,link\r\n" : "referrer,x,link\n"))
            #expect(outcome.complaints == "referral-tool: there are no rows in standard input\n")
            #expect(outcome.status == 0)
            #expect(try links(Data(table.utf8), "--quiet").error == "")
        }
    }

    @Test("files that are not there, are directories, or are the output too")
    func files() throws {
        let missing = try Tool.run("links", "/nowhere.csv", "--app-id", "42")
        #expect(missing.error == "referral-tool: can't read '/nowhere.csv': No such file or directory\n")
        #expect(missing.status == 66)
        let folder = try Tool.run("links", "/", "--app-id", "42")
        #expect(folder.error == "referral-tool: can't read '/': it is a directory\n")
        #expect(folder.status == 66)
        let table = Data("referrer\na\n".utf8)
        try Tool.inFolder(["t.csv": table]) { folder in
            for (option, message) in [
                ("--rejects t.csv", "'t.csv' is t.csv too"), (">>t.csv", "'standard output' is t.csv too"),
                ("--rejects -", "standard output has another output too"),
            ] {
                let outcome = try Tool.shell("cd \(folder); referral-tool links t.csv --app-id 42 \(option)")
                #expect(outcome.complaints.contains(message))
                #expect(outcome.status == 64)
                let left = try Data(contentsOf: URL(filePath: folder + "t.csv"))
                #expect(left == table)
            }
            let links = "cd \(folder); referral-tool links t.csv --landing https://example.com/get"
            for outputs in ["--rejects x --sheet ./x", "--rejects - >x", "--sheet x >x"] {
                let outcome = try Tool.shell("\(links) \(outputs); echo $? >&2; test -s x && echo written >&2")
                #expect(outcome.error.contains(" too; name another file\n64\n"), "\(outputs): \(outcome.error)")
                #expect(!outcome.error.contains("written"))
            }
            let rejects = try Tool.shell("cd \(folder); referral-tool links t.csv --app-id 42 --rejects no/r")
            #expect(rejects.status == 74)
            #expect(rejects.error.contains("can't write 'no/r'"))
            #expect(rejects.output == "")
        }
    }
}
