import Foundation
import Testing

struct LinkTests {
    private let ed = "eyJ0aW1lc3RhbXAiOjE3OTUyMjQ3NTA2OTAsInJlZmVycmVyIjoieCJ9"

    private func link(_ arguments: String...) throws -> String { try link(arguments) }

    private func link(_ arguments: [String]) throws -> String {
        let outcome = try Tool.run(["link", "--referrer", "x", "--at", "1795224750690"] + arguments)
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
        return outcome.output
    }

    @Test("a link from an app's parts, its items in one order")
    func parts() throws {
        #expect(try link("--app-id", "42") == "https://apps.apple.com/app/id42?ed=\(ed)\n")
        #expect(try link("--app-id", "42", "--slug", "a b") == "https://apps.apple.com/app/a%20b/id42?ed=\(ed)\n")
        #expect(
            try link("--app-id=42", "--storefront=us", "--slug=a") == "https://apps.apple.com/us/app/a/id42?ed=\(ed)\n"
        )
        let ppid = "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"
        #expect(
            try link("--ct", "spring", "--pt", "9", "--ppid", ppid, "--app-id", "42")
                == "https://apps.apple.com/app/id42?ppid=\(ppid)&pt=9&ct=spring&mt=8&ed=\(ed)\n"
        )
    }

    @Test("white space around a referrer isn't a part of it")
    func trims() throws {
        let options = ["--app-id", "42", "--at", "1795224750690"]
        let given = try Tool.run(["link", "--referrer", "\u{FEFF}\u{A0} anna b\n"] + options)
        #expect(try given.output == Tool.run(["link", "--referrer", "anna b"] + options).output)
        #expect(given.error == "referral-tool: white space around a referrer isn't a part of it\n")
        #expect(try Tool.run(["link", "--referrer", " "] + options).status == 64)
    }
}
