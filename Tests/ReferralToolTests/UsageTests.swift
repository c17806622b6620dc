import Foundation
import Testing

struct UsageTests {
    /// Wrong usage: nothing on standard output, one line on standard error that says what would be right, status 64.
    private func expectWrong(_ arguments: [String], _ message: String) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.output == "")
        #expect(outcome.error.contains(message), "\(outcome.error)")
        #expect(outcome.error.hasPrefix("referral-tool: "))
        #expect(outcome.error.hasSuffix("\n"))
        #expect(outcome.error.count { $0 == "\n" } == 1)
        #expect(outcome.error.utf8.count < 400 || arguments.isEmpty)
        #expect(outcome.status == 64)
    }

    @Test(
        "wrong usage says what would be right",
        arguments: [
            ("", "which command?"), ("lnk", "unknown command 'lnk'; did you mean 'link'?"),
            ("zzzzzz", "unknown command 'zzzzzz'; the commands are link, links, decode, snippet, page, "),
            ("--versoin", "did you mean '--version'?"),
            ("help lnk", "did you mean 'link'?"), ("help link x", "help takes one command"),

            ("link", "which page? Give either --page ADDRESS or --app-id ID"),
            ("link --app-id 42", "--referrer is missing"), ("link --app-id 42 --referrer", "--referrer needs a value"),
            ("link --referrer --app-id 42", "--referrer needs a value, as in --referrer=VALUE"),
            ("link --app-id 42 --referrer x --referrer y", "--referrer is given twice"),
            ("link --app-id 42 --refferer x", "did you mean '--referrer'?"),
            ("page --app-id 42 --reffer x", "did you mean '--referrer'?"),
            ("links --xy x", "unknown option '--xy'; write '--'"),
            ("links --referrer-column=", "--referrer-column '': a column has a name"),
            ("links --app-id 42 --sheet s.html", "--sheet requires --landing: a link to the App Store"),
            ("links --landing https://①.example/get", "write it in Punycode, as in xn--"),
            ("links --landing https://example.com/for/* --referrer-item via", "place; omit --referrer-item"),
            ("link --app-id 42 --referrer x -r", "unknown option '-r'"),
            ("link --app-id 42 --referrer x y", "'y' is not expected here"),
            ("link --app-id 42 --referrer=", "--referrer: The referrer is missing, empty"),
            ("link --app-id x --referrer x", "--app-id 'x': an app ID has 1 to 19 digits"),
            ("link --app-id 42 --page https://apps.apple.com/id42 --referrer x", "either --page"),
            ("link --page https://apps.apple.com/id42 --slug x --referrer x", "--slug 'x': it needs an app ID"),
            ("link --page https://example.com/id42 --referrer x", "--page 'https://example.com/id42': The host"),
            ("link --app-id 42 --slug= --referrer x", "--slug ''"),
            ("link --app-id 42 --storefront usa --referrer x", "--storefront 'usa'"),
            ("link --app-id 42 --pt 9 --referrer x", "--ct is missing; without it"),
            ("link --app-id 42 --ct 9 --referrer x", "--pt is missing; without it"),
            ("link --app-id 42 --pt= --ct 9 --referrer x", "--pt ''"),
            ("link --app-id 42 --ppid x --referrer x", "--ppid 'x'"),
            ("link --page https://apps.apple.com/id42?x=\u{9B}31m --referrer x", "control character"),
            ("link --app-id 42 --referrer x --param pack", "a parameter is KEY=VALUE"),
            ("link --app-id 42 --referrer x --param a=1 --param a=1", "the parameter 'a' is given twice"),
            ("link --app-id 42 --referrer x --param timestamp=1", "--param 'timestamp'"),
            ("link --app-id 42 --referrer x --at yesterday", "--at 'yesterday': a time is"),
            ("link --app-id 42 --referrer x --at 99999999999", "--at '99999999999': The timestamp"),

            ("decode", "--app-id is missing"), ("decode --app-id 1x s", "--app-id '1x'"),
            ("decode --app-id 42 --json=yes s", "--json 'yes': it takes no value"),
            ("decode --app-id 42 --reported -1 s", "--reported '-1'"),
            ("decode --app-id 42 --window -5 s", "--window '-5': a duration is"),
            ("decode --app-id 42 --window 5w s", "or none for no limit"),
            ("decode --app-id 42 --tolerance none s", "--tolerance 'none'"),
            ("decode --app-id 42 --tolerance 1. s", "--tolerance '1.'"),
            ("decode --app-id 42 --host https://example.com s", "--host 'https://example.com': a host is a name"),
            ("snippet --format modul", "it must be one of script, module, html"),
            ("snippet --nonce abc", "--nonce requires --format html"), ("snippet x", "'x' is not expected here"),

            ("check --json", "which pages? Name files, or folders with pages"),
            ("catalog", "which catalog? Name files"),
            ("catalog c --platform iOS", "for the offers to print, give both --app-version and --platform"),
            ("catalog c --app-version 2. --platform iOS", "a version is 1 to 8 numbers"),
            ("catalog c --app-version 2 --platform ios", "it must be one of iOS, macOS, "),
            ("catalog c --write-files", "--write-files requires --files FOLDER"),
            (
                "catalog - --files=. --write-files",
                "--write-files and --sign need the file's name, so they can't be used with standard"
            ),

            ("page --app-id 42", "--name is missing: the app's name"),
            ("page --app-id 42 --name \u{3000}", "it is shown on the page"),
            ("page --app-id 42 --name a\u{1B}[31m", "without control characters"),
            ("report --from 2026-10-02 --to 2026-10-01", "--to is too early"),
            ("page --app-id 42 --name T --referrer-item for/*", "--referrer-item 'for/*': a query item has a name"),
            ("page --app-id 42 --name T --referrer-item /for/* --keep", "--keep is for a query item"),
            ("links --landing https://a.b/ --referrer-item /for/*", "'/for/*': a query item has a name without /"),
            ("page --app-id 42 --name T --param Pack=x", "is a lowercase letter, followed by letters"),
            ("page --app-id 42 --name T --param on=x", "--param 'on'"),
            ("page --app-id 42 --name T --param items=x", "data-referral-items has another meaning"),
            ("page --app-id 42 --name T --language english", "a language is a tag such as de"),
            ("page --app-id 42 --name T --language sv", "the page has ar, de, en"),
            ("page --app-id 42 --name T --language de,en,DE", "without repetitions"),
            ("page --app-id 42 --name T --language de,en --referrer-item lang", "lang names the language"),
            ("page --app-id 42 --name T --language de,en --text scan=a", "de.scan or en.scan"),
            ("page --app-id 42 --name T --text de.button=a", "name one of the page's languages: en.button"),
            ("page --app-id 42 --name T --image a.png", "begins with https:// and a host"),
            ("page --app-id 42 --name T --text buton=x", "did you mean 'button'?"),
            ("page --app-id 42 --name T --text button=", "it must be PART=SENTENCE"),
            ("page --app-id 42 --name T --text scan=a --text scan=b", "the part 'scan' is given twice"),
            ("page --app-id 42 --name T --text note=It", "add {contents}"),
            ("page --app-id 42 --name T --play a.b --text playNote=It", "add {contents}"),
            ("page --app-id 42 --name T --item via", "--item 'via'"),
            ("page --app-id 42 --name T --item until", "--item 'until'"),
            ("page --app-id 42 --name T --ct-from-referrer", "--ct-from-referrer requires --pt: without it"),
            ("page --page https://apps.apple.com/id42?ct=x --name T --ct-from-referrer", "requires --pt"),
        ]
    )
    func wrong(_ words: String, message: String) throws {
        try expectWrong(words.split(separator: " ").map(String.init), message)
    }

    @Test("long words are errors of usage too, and are cut short")
    func longWords() throws {
        let link = ["link", "--app-id=42", "--referrer=x"]
        func x(_ count: Int) -> String { String(repeating: "x", count: count) }
        for (arguments, message) in [
            ([x(50_000)], "unknown command 'xxx"), (["link", "--" + x(50_000)], "unknown option '--xxx"),
            (link + [x(50_000)], "is not expected here"), (link + ["--param=" + x(50_000)], "a parameter is KEY=VALUE"),
            (link + ["--pt=9", "--ct=" + x(41)], "41 bytes"), (link + ["--slug=" + x(66_000)], "--slug 'xxx"),
            (["link", "--app-id=42", "--referrer=" + x(9_000)], "longer than 8,192 bytes"),
            (["link", "--referrer=x", "--page=https://apps.apple.com/id42?" + x(65_500)], "too long"),
        ] {
            try expectWrong(arguments, message)
        }
    }

    @Test("an equals sign is one whatever stands behind it", arguments: ["\u{301}", "\u{200D}"])
    func equals(_ mark: String) throws {
        let link = try Tool.run("link", "--app-id=42", "--referrer=\(mark)x", "--param", "k=\(mark)v=w")
        let json = try Tool.run("decode", "--app-id", "42", "--json", input: link.output).output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["referrer"] as? String == "\(mark)x", "\(link.error)")
        #expect(object?["parameters"] as? [String: String] == ["k": "\(mark)v=w"])
    }

    @Test("what follows an option is its value, unless it is an option of the same command")
    func values() throws {
        for (referrer, parameter) in [("--x", "--k=v"), ("-", "--bogus=--help")] {
            let link = try Tool.run("link", "--app-id", "42", "--referrer", referrer, "--param", parameter)
            #expect(
                try Tool.run("decode", "--app-id", "42", input: link.output).output == referrer + "\n",
                "\(link.error)"
            )
        }
    }

    @Test("an argument that is no UTF-8 is refused rather than repaired")
    func noUTF8() throws {
        let outcome = try Tool.shell(#"referral-tool link --app-id 42 --referrer $'a\xffb'"#)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.error.hasPrefix("referral-tool: argument 5 is not UTF-8"))
    }

    @Test(
        "times, as they are taken",
        arguments: [
            ("1795224750690", 1_795_224_750_690), ("1795224750690.25", 1_795_224_750_690.25),
            ("2026-11-21T01:32:30.690Z", 1_795_224_750_690), ("2026-11-21T02:32:30.690+01:00", 1_795_224_750_690),
            ("2026-11-20T20:02:30.69-0530", 1_795_224_750_690), ("2026-11-21t01:32z", 1_795_224_720_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("1999-12-31T23:59:59,999Z", 946_684_799_999), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ]
    )
    func times(_ time: String, milliseconds: Double) throws {
        let link = try Tool.run("link", "--app-id", "42", "--referrer", "x", "--at", time)
        let decoded = try Tool.run(
            ["decode", "--app-id", "42", "--window", "none", "--now", time, "--json"],
            input: link.output
        )
        let number = milliseconds == milliseconds.rounded() ? String(Int(milliseconds)) : String(milliseconds)
        #expect(decoded.output.contains(#""timestamp":\#(number),"#), "\(link.error)\(decoded.output)")
    }

    @Test(
        "and as they are not",
        arguments: [
            "", "2026-11-21", "2026-11-21T01:32:30", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "1e12", "NaN", "١",
            "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T01:60:00Z", "2026-11-21T01:32:60Z", "0x10",
            "2026-11-21 01:32:30Z", "2026-11-21T01:32:30Zx", "2026-11-21T01:32:30.Z", "2026-11-21T01:32:30+1", "1_000",
            "26-11-21T01:32:30Z", "+1795224750690", " 1795224750690",
        ]
    )
    func noTimes(_ time: String) throws {
        #expect(try Tool.run("decode", "--app-id", "42", "--now", time, "s").status == 64)
    }

    @Test(
        "durations",
        arguments: [
            ("300", 299_999, true), ("300", 300_000, false), ("300s", 300_000, false), ("5m", 299_999, true),
            ("5m", 300_000, false),
            ("0.5h", 1_799_999, true), ("0.5h", 1_800_000, false), ("1.001s", 1_001, false), ("1001ms", 1_000, true),
            ("1d", 86_399_999, true), ("1d", 86_400_000, false), ("0", 0, false), ("none", 1_000_000_000_000, true),
            ("99999999999999999999d", 1_000_000_000_000, true),
        ]
    )
    func durations(_ window: String, age: Int, isFound: Bool) throws {
        let now = 1_795_224_750_690
        let link = try Tool.run("link", "--app-id", "42", "--referrer", "x", "--at", String(now - age))
        let outcome = try Tool.run(
            ["decode", "--app-id", "42", "--now", String(now), "--window", window],
            input: link.output
        )
        #expect(outcome.status == (isFound ? 0 : 1), "\(link.error)\(outcome.error)")
    }

    @Test(
        "help, for the command and for each of its commands",
        arguments: ["link", "links", "decode", "snippet", "page", "site", "check", "key", "catalog", "report", "help"]
    )
    func help(_ command: String) throws {
        let help = try Tool.run("help", command)
        #expect(help.status == 0)
        #expect(help.error == "")
        #expect(help.output.contains("usage: referral-tool"))
        #expect(try Tool.run(command, "--help").output == help.output)
        #expect(try Tool.run(command, "--bogus", "-h").output == help.output, "help is given whatever else is wrong")
        #expect(try Tool.run("--help").output.contains("\n  \(command) "))
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("example: ") })
    }

    @Test(
        "the example in each help text works when it is pasted",
        arguments: ["link", "decode", "snippet", "page", "help"]
    )
    func examples(_ command: String) throws {
        let help = try Tool.run("help", command).output
        let examples = help.split(separator: "\n").filter { $0.hasPrefix("example: ") }
        #expect(examples.count == 1)
        for example in examples {
            let outcome = try Tool.shell("set -o pipefail; " + example.dropFirst("example: ".count))
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.error == "")
            #expect(!outcome.output.isEmpty)
        }
    }

    /// The commands in the shell blocks of the articles, with their continued lines joined, but for what isn't everywhere.
    private static func articleCommands() throws -> [String] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .resolvingSymlinksInPath()
        let articles = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
        return try articles.sorted().flatMap { article in
            let text = try String(contentsOf: sources.appending(path: article), encoding: .utf8)
            return text.matches(of: /(?s)\n```sh\n(.*?)\n```/)
                .flatMap { $0.1.replacing("\\\n", with: " ").split(separator: "\n") }
                .map { $0.trimmingPrefix("swift run ") }
                .filter { $0.hasPrefix("referral-tool ") && !$0.contains("pbcopy") && !$0.contains("catalog https://") }
                .map(String.init)
        }
    }

    @Test("the commands in the articles are used as their help says")
    func articles() throws {
        let commands = try Self.articleCommands()
        #expect(commands.count > 15)
        try Tool.inFolder { folder in
            for command in commands {
                // Their files aren't there, and their strings may be shortened.
                let outcome = try Tool.shell("cd '\(folder)'; \(command) </dev/null")
                #expect(outcome.status != 64 && outcome.status != 127, "\(command): \(outcome.error)")
            }
        }
    }
}
