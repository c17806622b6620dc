import Foundation
import ReferralBridge
import Testing

/// `check` as a process: its output, its exit status, files and folders. The rules are tested in `SiteCheckTests`.
struct CheckTests {
    private static let store = "https://apps.apple.com/us/app/trestle/id42"
    private static let link = "<a href=\(store) data-referrer=x>"
    private static let noNumber = StorePageError.missingAppID.description

    private struct Report: Decodable {
        struct Finding: Decodable {
            let file: String
            let rule: String
        }

        let findings: [Finding]
        let notLookedAt: [[String: String]]
        let counts: [String: Int]
    }

    @Test("the project's own page is a good one")
    func example() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web/example.html")
        let outcome = try Tool.run("check", page.standardized.path(percentEncoded: false), "--app-id", "1300230302")
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("no problem in 1 page: 1 link with a referrer, "))
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
    }

    @Test("what the command writes into a page passes, whatever its form")
    func ownOutput() throws {
        let link = try Tool.run("links", "--app-id", "42", "--to", "html", input: "referrer,param.pack\na&b,gold\n")
            .output
        for form in [["--format", "html"], ["--format", "html", "--min"], ["--format", "html", "--nonce", "abc"]] {
            let snippet = try Tool.run(["snippet"] + form).output
            let xhtml =
                "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\(snippet)</head><body>\(link)</body></html>"
            let outcome = try Tool.inFolder(["a.html": Data((snippet + link).utf8), "b.xhtml": Data(xhtml.utf8)]) {
                try Tool.run("check", $0, "--app-id", "42")
            }
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.hasPrefix("no problem in 2 pages"))
        }
    }

    @Test("a message says what is wrong and what would be right")
    func messages() throws {
        let page = Data("<a href='https://apps.apple.com/\u{202E}' data-referrer=x>".utf8)
        let outcome = try Tool.inFolder(["page\u{1B}[31m.html": page, "referral-bridge.js": Data()]) { folder in
            let outcome = try Tool.run("check", folder)
            return (outcome.output.replacing(folder, with: ""), outcome.error)
        }
        #expect(
            outcome.0 == #"""
                page\u{1B}[31m.html:1:1: this page has links with a referrer and no snippet; add the output of 'referral-tool snippet --format html'
                page\u{1B}[31m.html:1:4: a link with a referrer leads to an App Store page; 'https://apps.apple.com/\u{202E}' doesn't: \#(Self.noNumber)

                """#
        )
        #expect(outcome.1 == "referral-tool: 2 problems in 1 of 1 page\n")
    }

    @Test(
        "a bundler's copy of the snippet is the snippet",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/esbuild"))
    )
    func bundle() throws {
        let main = "import './referral-bridge.js'; console.log(`Hello, ${document.title}`)"
        let files = [
            "main.js": Data(main.utf8), "referral-bridge.js": try Tool.run("snippet").bytes,
            "index.html": Data("<script type=module src=bundle.js></script>\(Self.link)".utf8),
        ]
        for options in [
            "--minify --target=es2020", "--minify --target=es2017 --charset=utf8", "--format=esm", "--format=cjs",
        ] {
            let outcome = try Tool.inFolder(files) { folder in
                try Tool.shell(
                    "cd '\(folder)' && esbuild main.js --bundle \(options) --log-level=error --outfile=bundle.js; referral-tool check ."
                )
            }
            #expect(
                outcome.output.hasPrefix("no problem in 1 page: 1 link with a referrer, "),
                "\(options) \(outcome.output)"
            )
            #expect(outcome.status == 0)
        }
    }

    // MARK: Standard input and association files

    @Test("- is standard input, a page or an association file, and ./- is a file")
    func standardInput() throws {
        let page = try Tool.run("check", "-", input: Self.link)
        #expect(page.output.hasPrefix("-:1:1: this page has links with a referrer and no snippet; "))
        #expect(page.error == "referral-tool: 1 problem in 1 of 1 page\n")
        #expect(page.status == 1)
        let noted = try Tool.run("check", "-", input: "<div data-referrer=pagelet>")
        #expect(noted.output.contains(" note: ") && noted.output.contains("is meant for the snippet"))
        #expect(noted.status == 0)
        let snippet = try Tool.run("snippet", "--format", "html").output
        let twice = try Tool.run("check", "-", "-", input: snippet + Self.link)
        #expect(twice.output.hasPrefix("no problem in 1 page: 1 link with a referrer, "))
        let site = "\n{\"applinks\": {\"details\": [{\"appIDs\": [\"com.example.app\"]}]}}"
        let association = try Tool.run("check", "-", input: site)
        #expect(association.output.hasPrefix("-:2:39: 'com.example.app' must begin with the team's"))
        #expect(association.error == "referral-tool: 1 problem in the site's files\n")
        #expect(association.status == 1)
        let file = try Tool.inFolder(["-": Data("<p>".utf8)]) {
            try Tool.shell("cd '\($0)' && referral-tool check ./-")
        }
        #expect(file.output.hasPrefix("no problem in 1 page"))
    }

    // MARK: Files and folders

    @Test("a folder's pages, sorted, but not those of others")
    func folder() throws {
        let (report, status) = try Tool.inFolder { folder in
            let made = try Tool.shell(
                """
                cd '\(folder)' && mkdir -p a/b .git node_modules/x a.b && for f in b.html a/z.HTM a/b/c.xhtml a.b/d.html \
                .git/e.html node_modules/x/f.html a/.g.html h.txt; do echo '\(Self.link)' >$f; done
                ln -s .. a/up; ln -s ../a a/b/again; ln -s "$PWD/b.html" a/same.html; ln -s a/b linked; mkfifo pipe.htm2
                """
            )
            #expect(made.status == 0)
            let outcome = try Tool.run("check", "--json", folder, folder + "a", folder + "b.html")
            let text = outcome.output.replacing(folder, with: "")
            return (try JSONDecoder().decode(Report.self, from: Data(text.utf8)), outcome.status)
        }
        let files = report.findings.filter { $0.rule == "no-snippet" }.map(\.file)
        // Of two names of one file the first that comes up stands for it.
        #expect(files == ["a.b/d.html", "a/b/c.xhtml", "a/z.HTM", "b.html"])
        #expect(report.counts["pages"] == 4)
        #expect(status == 1)
    }

    @Test("a missing file, an empty folder, a circle and a device end in 66 or 65, and nothing is said of no pages")
    func missing() throws {
        try Tool.inFolder { folder in
            let files = try Tool.run("check", folder + "none.html", "--", "-none")
            #expect(files.error.contains("none.html: No such file or directory\nreferral-tool: -none: No such file"))
            #expect(files.status == 66)
            #expect(files.output == "")
            #expect(files.error.split(separator: "\n").count == 2)
            let empty = try Tool.run("check", folder)
            #expect(empty.status == 66)
            let problem = "the folder contains no page, that is no .html, .htm or .xhtml file"
            #expect(empty.error == "referral-tool: \(folder): \(problem)\n")
            _ = try Tool.shell(
                "cd '\(folder)' && ln -s loop.html loop.html && ln -s nowhere lost.html && mkfifo pipe.html"
            )
            let lost = try Tool.run("check", folder)
            #expect(lost.status == 66)
            for line in [
                "loop.html: Too many levels of symbolic links", "lost.html: No such file",
                "pipe.html: this is not a file",
            ] {
                #expect(lost.error.contains(line), "\(lost.error)")
            }
            let device = try Tool.run("check", "/dev/null")
            #expect(
                device.output == "/dev/null:1:1: note: this file contains no tag, so it was not checked as a page\n"
            )
            #expect(device.error == "referral-tool: /dev/null: there is no page to check\n")
            #expect(device.status == 65)
            #expect(try Tool.run("check", "/dev/zero").error.contains("larger than 32768 KiB"))
        }
    }

    /// Runs the command as somebody who may not do everything: as root, without root's rights.
    private static let asAnybody = """
        check() { if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-all --inh-caps=-all \
        "$(command -v referral-tool)" check "$@"; else referral-tool check "$@"; fi; }

        """

    private static let canBeAnybody: Bool = {
        let line = "[ $(id -u) != 0 ] || setpriv --bounding-set=-all --inh-caps=-all true"
        return (try? Tool.shell(line))?.status == 0
    }()

    @Test(
        "a folder that may not be looked into is told of",
        .enabled(if: canBeAnybody),
        arguments: [
            ("chmod 000 a", ["a: Permission denied"]), ("chmod 300 a", ["a: Permission denied"]),
            ("chmod 600 a", ["a/b: Permission denied", "a/link: Permission denied", "a/page.html: Permission denied"]),
            (
                "chmod 600 a; ln -s a/b far",
                ["far: Permission denied", "a/b: Permission", "a/link: Permission", "a/page.html: Permission"]
            ),
            ("chmod 000 a/b/page.html", ["a/b/page.html: Permission denied"]),
            ("ln -s nowhere old; ln -s loop loop; chmod 000 a/notes.txt", []),
        ]
    )
    func denied(_ change: String, _ lines: [String]) throws {
        try Tool.inFolder { folder in
            let made = "cd '\(folder)' && mkdir -p a/b && echo '<p>' | tee fine.html a/page.html >a/b/page.html"
            let outcome = try Tool.shell(
                """
                \(Self.asAnybody)\(made) && touch a/notes.txt && ln -s b a/link && \(change)
                check .; status=$?; chmod 700 a; exit $status
                """
            )
            let told = outcome.error.split(separator: "\n").filter { !$0.contains("no problem in") }
            #expect(told.count == lines.count, "\(outcome.error)")
            for (line, told) in zip(lines, told) { #expect(told.hasPrefix("referral-tool: ./\(line)"), "\(told)") }
            #expect(outcome.status == (lines.isEmpty ? 0 : 66))
        }
    }
}
