import Foundation
import Testing

/// Where the page goes, and what becomes of a file that is there.
extension PageTests {
    #if os(Linux)
    @Test("a page that can't be written whole leaves the one that is there, and nothing beside it")
    func failedOut() throws {
        try Tool.inFolder(["page.html": Data("old".utf8)]) { folder in
            for name in ["page.html", "new.html"] {
                let outcome = try Tool.shell(
                    "cd \(folder); ulimit -f 2; referral-tool page --app-id 42 --name T --out \(name); echo $? >&2; ls -A; cat page.html"
                )
                #expect(outcome.error == "referral-tool: can't write to \(name): File too large\n74\n")
                #expect(outcome.output == "page.html\nold")
            }
        }
    }
    #endif

    @Test("a file that is replaced keeps its permissions, and a link to it stays a link")
    func replacedOut() throws {
        let page = try page("--name", "T")
        try Tool.inFolder(["old.html": Data("old".utf8), "private.html": Data("old".utf8)]) { folder in
            let line = "referral-tool page --app-id 42 --name T --out"
            let outcome = try Tool.shell(
                """
                cd \(folder); umask 027; mkdir sub; chmod 600 private.html; chmod 664 old.html
                ln -s ../old.html sub/link.html; ln -s sub/link.html link.html; ln -s later.html dangling.html
                \(line) private.html && \(line) link.html && \(line) new.html && \(line) dangling.html
                ls -lA . sub | awk '{ print (/^l/ ? "l" : substr($1, 1, 10)), $9, $10, $11 }' | grep html; cat link.html
                """
            )
            #expect(
                outcome.output == """
                    l dangling.html -> later.html
                    -rw-r----- later.html \u{20}
                    l link.html -> sub/link.html
                    -rw-r----- new.html \u{20}
                    -rw-rw-r-- old.html \u{20}
                    -rw------- private.html \u{20}
                    l link.html -> ../old.html

                    """ + page
            )
        }
    }

    @Test("it goes into a pipe and to a stream that is open already, which nothing can replace")
    func streamedOut() throws {
        let page = try page("--name", "T")
        try Tool.inFolder { folder in
            let line = "referral-tool page --app-id 42 --name T --out"
            let outcome = try Tool.shell("cd \(folder); mkfifo f; cat f & \(line) f; wait; ls -A; \(line) /dev/null")
            #expect(outcome.output == page + "f\n")
            #expect(try Tool.shell("\(line) /dev/stdout | cat").output == page)
            // Whoever writes on has the file open, and would write into one that is gone.
            let shared = try Tool.shell(
                "cd \(folder); { \(line) /dev/stdout; echo more; } >>t; cat t"
            )
            #expect(shared.output == page + "more\n")
        }
    }

    @Test("a file that can't be written", arguments: ["/nowhere/page.html", "/tmp", "/dev/full"])
    func noOut(_ path: String) throws {
        let outcome = try Tool.run("page", "--app-id", "42", "--name", "T", "--out", path)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("can't write"))
    }
}
