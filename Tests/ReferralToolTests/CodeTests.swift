import Foundation
import Testing

/// `referral-tool code`: new codes, and what is wrong with others.
struct CodeTests {
    @Test("new codes are valid, and differ")
    func newCodes() throws {
        let made = try Tool.run("code", "--count", "100")
        #expect(made.status == 0)
        let codes = made.output.split(separator: "\n").map(String.init)
        #expect(Set(codes).count == 100)
        let checked = try Tool.run(["code"] + codes)
        #expect(checked.status == 0)
        #expect(checked.output == codes.map { "\($0): valid, \($0)\n" }.joined())
        #expect(try Tool.run("code").output.utf8.count == 15)
    }

    @Test("a code is read in any form, also in an address")
    func forms() throws {
        let texts = ["4f7k 9q2m xrkq", "https://example.com/get?ref=4F7K-9Q2M-XRKQ&open=/x"]
        let outcome = try Tool.run(["code"] + texts)
        #expect(outcome.status == 0)
        #expect(outcome.output == texts.map { "\($0): valid, 4F7K-9Q2M-XRKQ\n" }.joined())
        #expect(outcome.error == "")
        let other = try Tool.run("code", "--item", "from", "https://example.com/?ref=x&from=4f7k9q2mxrkq")
        #expect(other.output.hasSuffix("valid, 4F7K-9Q2M-XRKQ\n"))
    }

    @Test(
        "what is wrong is said in a sentence, with the codes that may have been meant",
        arguments: [
            ("4F7K", "A code has 12 letters and digits, and this text has 4.\n"),
            (
                "4F7K-9Q2M-XRU!",
                "A code consists of digits and letters, without the letter U. Character 13 is 'U'.\n"
            ),
            (
                "4F7K\t9Q2MXRKQ",
                "A code consists of digits and letters, without the letter U. Character 5 is '\\u{9}'.\n"
            ),
            (
                "https://example.com/get?ref=4F7K-9U2M-XRKQ",
                "A code consists of digits and letters, without the letter U. Character 7 of '4F7K-9U2M-XRKQ' is 'U'.\n"
            ),
            ("https://example.com/get?from=4F7K-9Q2M-XRKQ", "The address has no item 'ref'.\n"),
            ("\u{1B}", "A code consists of digits and letters, without the letter U. Character 1 is '\\u{1B}'.\n"),
            (
                "4F7K9Q2MXRKY",
                "A letter or digit of the code is wrong, or two are in each other's place.\n"
                    + "  4F7K-9Q2M-XRKQ: another symbol in place 12\n"
            ),
        ]
    )
    func wrong(_ text: String, _ message: String) throws {
        let outcome = try Tool.run("code", text)
        #expect(outcome.status == 1)
        let shown = text.replacingOccurrences(of: "\u{1B}", with: "\\u{1B}").replacingOccurrences(
            of: "\t",
            with: "\\u{9}"
        )
        #expect(outcome.output.hasPrefix("\(shown): \(message)"), "\(outcome.output)")
        #expect(outcome.error == "")
    }

    @Test("two exchanged symbols are suggested in their order")
    func exchanged() throws {
        let output = try Tool.run("code", "4F7KQ92MXRKQ").output
        #expect(output.contains("  4F7K-9Q2M-XRKQ: places 5 and 6 exchanged\n"), "\(output)")
    }

    @Test("an explanation has the values of the symbols")
    func explanation() throws {
        let output = try Tool.run("code", "--explain", "4F7K-9Q2M-XRKQ").output
        #expect(output.contains("  symbol   4  F  7  K  9  Q  2  M  X  R  K  Q\n"), "\(output)")
        #expect(output.contains("  value    4 15  7 19  9 23  2 20 29 24 19 23\n"), "\(output)")
    }

    @Test("JSON has an object for each code")
    func json() throws {
        let outcome = try Tool.run("code", "--json", "4f7k9q2mxrkq", "x")
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                {"codes":[{"text":"4f7k9q2mxrkq","code":"4F7K-9Q2M-XRKQ"},{"text":"x","error":"wrongLength",\
                "message":"A code has 12 letters and digits, and this text has 1.","suggestions":[]}]}

                """
        )
        #expect(try Tool.run("code", "--json").output.hasPrefix(#"{"codes":[{"code":""#))
    }

    @Test(
        "wrong usage",
        arguments: [
            (["--count", "0"], "the number of codes is 1 to 1000000"),
            (["--count", "2", "4F7K"], "--count makes new codes"), (["--explain"], "--explain requires a code"),
            (["--item", "x"], "--item requires a code"),
        ]
    )
    func usage(_ arguments: [String], _ message: String) throws {
        let outcome = try Tool.run(["code"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(message), "\(outcome.error)")
    }
}
