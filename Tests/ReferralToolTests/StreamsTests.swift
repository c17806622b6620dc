import Foundation
import TestSupport
import Testing

/// Long work on real files, pipes and terminals: its memory, its end and what it shows on the way.
struct StreamsTests {
    private static let links = "referral-tool links --app-id 42 --pt 9 --at 1795224750690"

    /// A command that prints a table.
    private static func rows(_ count: Int) -> String {
        "{ echo referrer,ct; seq 1 \(count) | sed 's/$/,spring/'; } 2>/dev/null"
    }

    // MARK: Ends

    @Test("a closed pipe ends it quietly, with status 74")
    func closedPipe() throws {
        let outcome = try Tool.shell("\(Self.rows(100_000)) | { \(Self.links); echo $? >&2; } | head -2 | tail -1")
        #expect(outcome.output.hasPrefix("1,spring,https://"))
        #expect(outcome.error == "74\n")
    }

    #if os(Linux)
    @Test("a file that may not grow any further ends at a row, with status 74")
    func fullFile() throws {
        try Tool.inFolder { folder in
            for (jobs, end) in [("1", ">"), ("2", ">"), ("2", ">>")] {
                let outcome = try Tool.shell(
                    "cd \(folder); rm -f out; ulimit -f 4000; \(Self.rows(100_000)) | \(Self.links) --jobs \(jobs) \(end)out; echo $?"
                )
                #expect(outcome.output == "74\n")
                #expect(outcome.error == "referral-tool: can't write to standard output: File too large\n")
                let written = try Data(contentsOf: URL(filePath: folder + "out"))
                #expect(written.count > 1_000_000)
                #expect(written.count <= 4_096_000)
                #expect(written.last == 10)
                #expect(written.split(separator: 10).last?.contains(Data("ed=".utf8)) == true)
            }
        }
    }

    @Test("it ends when nobody reads on, though rows may still come", arguments: ["1", "2"])
    func openInput(jobs: String) throws {
        let script = """
            import subprocess, sys
            command = ["referral-tool", "links", "--app-id", "42", "--at", "now", "--to", "txt", "--jobs", sys.argv[1]]
            tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=open("/dev/full", "wb"), stderr=-1)
            tool.stdin.write(b"referrer\\na\\n"); tool.stdin.flush()
            print(tool.wait(), tool.stderr.read())
            """
        let outcome = try Tool.inFolder(["t.py": Data(script.utf8)]) { folder in
            try Tool.shell("or_end python3 \(folder)t.py \(jobs)")
        }
        let message = "referral-tool: can't write to standard output: No space left on device"
        #expect(outcome.output == "74 b\"\(message)\\n\"\n", "\(outcome.error)")
    }

    @Test("a full device for the bad rows says so")
    func fullDevice() throws {
        let rejects = try Tool.shell(
            "printf 'referrer,x\\n\\n\\\"\\\",1\\n' | \(Self.links) --ct x --rejects /dev/full; echo $?"
        )
        #expect(rejects.output.hasSuffix("74\n"))
        #expect(rejects.error.contains("can't write to /dev/full"))
    }
    #endif

    @Test("rows that come slowly go on at once")
    func slowly() throws {
        let script = """
            import subprocess
            command = ["referral-tool", "links", "--app-id", "42", "--quiet"]
            tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            def answer(text):
                tool.stdin.write(text); tool.stdin.flush()
                return tool.stdout.readline().startswith(text.rstrip())
            print(answer(b"referrer\\n"), answer(b"a\\n"), answer(b"b\\n"))
            tool.stdin.write(b"c"); tool.stdin.close()
            print(tool.stdout.read()[:10], tool.wait())
            """
        let outcome = try Tool.inFolder(["t.py": Data(script.utf8)]) { folder in
            try Tool.shell("or_end python3 \(folder)t.py")
        }
        #expect(outcome.output == "True True True\nb'c,https://' 0\n", "\(outcome.error)")
    }

    @Test(
        "a closed standard input or output is an I/O error, and no file takes its place",
        arguments: [
            ("links --app-id 42 --at now <&-", "can't read standard input"),
            ("links --app-id 42 --at now <&- >&-", "can't read standard input"),
            ("decode --each --app-id 42 <&-", "can't read standard input"),
            ("decode --app-id 42 <&-", "can't read standard input"),
            ("links t.csv --app-id 42 --at now >&-", "can't write to standard output"),
            ("links t.csv --app-id 42 --at now --rejects r <&- >&-", "can't write to standard output"),
            ("decode --each t.csv --app-id 42 >&-", "can't write to standard output"),
        ]
    )
    func closedStreams(line: String, problem: String) throws {
        try Tool.inFolder(["t.csv": Data("referrer\na\n".utf8)]) { folder in
            let outcome = try Tool.shell("cd \(folder); or_end referral-tool \(line); echo $? >&2")
            #expect(outcome.error == "referral-tool: \(problem): Bad file descriptor\n74\n")
            #expect(outcome.output == "")
        }
    }

    @Test("with standard error closed, what goes there ends up in no file")
    func closedError() throws {
        try Tool.inFolder(["t.csv": Data("referrer,x\na,\n\"\",1\n".utf8)]) { folder in
            let line = "referral-tool links t.csv --app-id 42 --at now --rejects r <&- 2>&-"
            let outcome = try Tool.shell("cd \(folder); or_end \(line) >out; cat r; grep -c ^ out")
            #expect(outcome.output == "reason,line,referrer,x\nreferrer: missing,3,\"\",1\n2\n")
        }
    }

    // MARK: Memory

    #if os(Linux)
    @Test("memory does not grow with the rows, nor with what becomes of them")
    func memory() throws {
        try Tool.inFolder { folder in
            let page = "https://apps.apple.com/id42?x=" + String(repeating: "x", count: 60_000)
            let made = try Tool.shell(
                """
                cd \(folder); seq 0 \(samples(100_000, long: 200_000)) | sed "1s/.*/referrer/" >many.csv; head -4000 many.csv >few.csv
                head -c 40000000 /dev/zero | tr "\\\\0" x >line; { echo referrer; echo "\\""; cat line; } >quote.csv
                { echo referrer,page; for row in $(seq 1 \(samples(100, long: 200))); do echo "$row,\(page)$row"; done; } >pages.csv
                """
            )
            #expect(made.status == 0, "\(made.error)")
            for command in [
                "links many.csv --app-id 42 --at now", "links many.csv --app-id 42 --at now --to html",
                "links few.csv --landing https://example.com/\(String(repeating: "x", count: 2_000))",
                "links pages.csv --app-id 42 --at now",
                "links quote.csv --app-id 42 --rejects rejects",
                "decode --each --app-id 42 line", "decode --each --app-id 42 many.csv",
            ] {
                let peak = try Tool.peak("cd \(folder); referral-tool \(command) --jobs 2 >/dev/null")
                // 64 MiB are promised, and less shows sooner that something grows.
                #expect((5_001..<48 << 10).contains(peak), "\(command.prefix(60)): \(peak) kB")
            }
        }
    }

    @Test("a long list is judged as a whole, and takes about a kilobyte a string")
    func longList() throws {
        let count = samples(5_000, long: 100_000)
        try Tool.inFolder { folder in
            let script = """
                import base64, sys
                def link(tap):
                    text = b'{"timestamp":%d,"referrer":"%d"}' % (tap, tap % 1000)
                    return "https://apps.apple.com/id42?ed=" + base64.b64encode(text).decode()
                # The newest tap comes three times, far behind others that pass and in front of some.
                taps = [1795224000000 + (tap * 7919) % 600000 for tap in range(\(count))]
                taps[\(count * 7 / 10)] = taps[\(count * 8 / 10)] = taps[\(count * 9 / 10)] = 1795224700000
                print("\\n".join(map(link, taps)))
                """
            try Data(script.utf8).write(to: URL(filePath: folder + "t.py"))
            let decode = "referral-tool decode --app-id 42 --now 1795224700500 --json"
            let peak = try Tool.peak("cd \(folder); python3 t.py >list; \(decode) <list >out 2>err")
            #expect(peak < 192 << 10, "\(peak) kB")
            let all = try String(contentsOf: URL(filePath: folder + "out"), encoding: .utf8)
            let (first, second) = (count * 7 / 10, count * 8 / 10)
            let found = #"{"referrer":"0","timestamp":1795224700000,"parameters":{},"index":\#(first),"age"#
            #expect(all.hasPrefix(found))
            #expect(all.contains(#"{"index":\#(first),"verdict":"found","reason":"The tap was 500 ms ago."}"#))
            #expect(all.contains(#"{"index":\#(second),"verdict":"superseded","#))
        }
    }

    // MARK: Terminals

    /// Runs a line of shell with a terminal for standard error, and answers what that showed.
    private func shown(_ line: String) throws -> String {
        let script = """
            import os, pty, subprocess, sys
            screen, terminal = pty.openpty()
            tool = subprocess.Popen(["bash", "-c", sys.argv[1]], stderr=terminal)
            os.close(terminal)
            shown = b""
            try:
                while piece := os.read(screen, 4096): shown += piece
            except OSError: pass
            tool.wait()
            sys.stdout.buffer.write(shown)
            """
        return try Tool.inFolder(["t.py": Data(script.utf8), "line": Data(line.utf8)]) { folder in
            try Tool.shell("or_end python3 \(folder)t.py \"$(cat \(folder)line)\"").output
        }
    }

    /// Runs a line of shell with a terminal for standard output, and answers what that showed.
    private func printed(_ line: String) throws -> String { try shown("{ \(line); } >&2 2>/dev/null") }

    @Test("a terminal is shown what it would obey, and a file or a pipe gets it as it is")
    func escaped() throws {
        let files = [
            "t.csv": Data("referrer,\u{1B}c\n\"\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{7F}\u{2028}\n\t\",a\r\n".utf8)
                + Data("x,".utf8) + [0x9B] + Data("\n".utf8),
            "t.jsonl": Data("{\"referrer\":\t\"\u{202E}\u{9B}\"}\n".utf8),
        ]
        try Tool.inFolder(files) { folder in
            let screen = try printed("cd \(folder); referral-tool links t.csv --landing https://example.com")
            #expect(
                screen == "referrer,\\u{1B}c,link\r\n\"\\u{1B}]0;x\\u{7}\\u{9B}2J\\u{202E}\\u{7F}\\u{2028}\r\n\t\",a,"
                    + "https://example.com?via=%1B%5D0%3Bx%07%C2%9B2J%E2%80%AE%7F\r\nx,\u{FFFD},https://example.com?via=x\r\n"
            )
            #expect(
                try Tool.shell("cd \(folder); referral-tool links t.csv --landing https://example.com | cat").output
                    .contains("\u{1B}]0;x")
            )
            let links = "cd \(folder); referral-tool links --landing https://example.com"
            #expect(try printed("\(links) t.jsonl").hasPrefix("{\"referrer\":\t\"\\u202e\\u009b\",\"link\":"))
            let elements = "cd \(folder); referral-tool links --app-id 42 t.jsonl --to html"
            #expect(try printed(elements).contains(" data-referrer=\"\\u{202E}\\u{9B}\""))
        }
    }

    #endif
}
