import Foundation
import Testing

struct CatalogTests {
    private static let catalog = #"""
        {"format":1,"revision":12,"rewards":[
           {"id":"w"}],
        "items":[
          {"id":"gold","product":"p.gold","kind":"nonConsumable","grants":["gold"],"minVersion":"2.1","belowMinimum":"updateFirst",
           "includedIn":["full"],"text":{"en":{"title":"Gold boards"},"de":{"title":"Goldene Bretter"}}},
          {"é":[],"id":""}, 7,
            "é\"", {"id":"x"},
          {"id":"hints","product":"p","kind":"consumable","amount":10,"grants":["hint"],"text":{"en":{"title":"Hint\u001b[31m"}}},
          {"id":"gift","free":true,"kind":"nonConsumable","grants":["g"]},
          {"id":"mac","platforms":["macOS"],"product":"m","kind":"nonConsumable","grants":["g"]}
        ]}
        """#

    private func run(_ arguments: String..., catalog: String = Self.catalog) throws -> Tool.Outcome {
        try Tool.run(["catalog", "-"] + arguments, input: Data(catalog.utf8))
    }

    @Test("what is left out is shown with its line and column, in the order of the file")
    func findings() throws {
        let outcome = try run()
        #expect(
            outcome.output == """
                standard input:2:4: An entry is left out: rewards[0].grants is missing; it must be a list of names.
                standard input:6:3: An entry is left out: items[1].kind is missing; it must be "nonConsumable", "consumable", "subscription", "nonRenewing", "trial" or "allowance".
                standard input:6:21: An entry is left out: items[2] must be an object.
                standard input:7:5: An entry is left out: items[3] must be an object.
                standard input:7:12: An entry is left out: items[4].kind is missing; it must be "nonConsumable", "consumable", "subscription", "nonRenewing", "trial" or "allowance".
                standard input: revision 12, 4 items, 0 rewards, 5 left out

                """
        )
        #expect(outcome.status == 1)
        #expect(outcome.error == "")
        // The last of two lists counts, and an escape in its name changes nothing.
        let twice = #"{"format":1,"revision":1,"items":[1,2],"\u0069tems":["# + "\r\n[]]}"
        #expect(try run(catalog: twice).output.hasPrefix("standard input:2:1: An entry is left out: items[0]"))
        let good = try run(catalog: #"{"format":1,"revision":1,"items":[]}"#)
        #expect(good.output == "standard input: revision 1, 0 items, 0 rewards, 0 left out\n")
        #expect(good.status == 0)
    }

    @Test("a wrong member is shown where it is, with what would be right, and the last of two counts")
    func members() throws {
        let catalog = #"""
            {"format":1,"revision":1,"items":[
             {"id":"a","kind":"nonConsumable",
              "product":"p","grants":[
                ""]},
             {"id":"b","kind":"lastng",
              "kind"
               : "lastng", "product":"q","grants":["g"]},
             {"id":"c","kind":"consumable","product":"r",
              "amount":1000001,"grants":["g"]},
             {"id":"d","kind":"nonConsumable","product":"s","grants":["g"],
              "id":"d", "min\u0056ersion":"2.1b"},
             {"id":"e","kind":"nonConsumable","product":"t","grants":null},
             {"id":"f","kind":"nonConsumable","free":true,"grants":["g"],
              "text":{"en":{"title":7}}},
             {"id":"g","kind":"nonConsumable","free":true,"grants":["g"]},
             {"kind":"nonConsumable","free":true,"grants":["g"],
              "id":"g"}],
            "rewards":[{"id":"w","grants":["g"],
              "limit":0}]}
            """#
        let outcome = try run(catalog: catalog)
        let shown = outcome.output.replacing("standard input:", with: "")
        let lines = shown.replacing("An entry is left out: ", with: "").split(separator: "\n").dropLast()
        #expect(
            lines.map(String.init) == [
                "4:5: items[0].grants[0] must be a text of 1 to 256 bytes.",
                #"6:3: items[1].kind must be "nonConsumable", "consumable", "subscription", "nonRenewing", "trial" or "allowance"."#,
                "9:3: items[2].amount must be a whole number from 1 to 1000000.",
                #"11:13: items[3].minVersion must be a version of 1 to 8 numbers separated by dots, such as "2.1"."#,
                "12:49: items[4].grants is missing; it must be a list of names.",
                "14:17: items[5].text.en.title must be a text.",
                "17:3: items[7].id must be different in each entry.",
                "19:3: rewards[0].limit must be a whole number of at least 1.",
            ]
        )
    }

    @Test(
        "a file that is no catalog says where it is wrong, and what would be right",
        arguments: [
            (
                "{\"format\":1,\n \"revision\":1,\n \"items\":[],}",
                "3:13: '}' isn't expected here; a catalog is a JSON object"
            ),
            ("{\"a\":\n\"é\u{1F600}\" \u{1F600}", "2:6: '\u{1F600}' isn't expected here; a catalog is a JSON object"),
            ("{\"format\":1,\n \"items\":[", "2:11: the JSON ends too early"),
            (
                "\u{FEFF}{\"format\":1}",
                "1:1: the file begins with a byte order mark, which isn't JSON; save the file without one"
            ),
            ("", "1:1: the JSON ends too early"),
            ("{\"a\":" + String(repeating: "[", count: 100), "1:69: the JSON has more than 64 levels of nesting"),
            ("{\"a\":\"\\ud800\"}", "an escape before this is half of a character"),
            ("{\"revision\":1}", "1:1: The catalog is refused: format is missing; it must be 1."),
            ("{\n\"format\":2}", "2:1: The catalog is refused: format must be 1."),
            (
                "{\"format\":1,\"revision\":1,\"items\":[],\n\"issued\":\"yesterday\"}",
                "The catalog is refused: issued must be a time such as \"2026-11-21T00:00:00Z\"."
            ),
        ]
    )
    func refused(catalog: String, message: String) throws {
        let outcome = try run(catalog: catalog)
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.error.hasPrefix("referral-tool: standard input:"))
        #expect(outcome.error.contains(message))
    }

    @Test("what a person sees is a row for each item")
    func offers() throws {
        func rows(_ arguments: String...) throws -> [Substring] {
            let output = try Tool.run(["catalog", "-"] + arguments, input: Data(Self.catalog.utf8)).output
            return output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        }
        #expect(
            try rows("--app-version", "2.0", "--platform", "iOS") == [
                "  gold   update to 2.1 first: Gold boards", #"  hints  for sale: Hint\u{1B}[31m"#,
                "  gift   free", "  mac    hidden",
            ]
        )
        #expect(
            try rows("--app-version", "2.1", "--platform", "macOS", "--edition", "full") == [
                "  gold   included: Gold boards", #"  hints  for sale: Hint\u{1B}[31m"#, "  gift   free",
                "  mac    for sale",
            ]
        )
        #expect(try rows().isEmpty)
    }

    @Test("every file is read, whatever is wrong with another one, and the worst status counts")
    func several() throws {
        let good = Data(#"{"format":1,"revision":1,"items":[]}"#.utf8)
        let large = good + Data(repeating: 0x20, count: 1 << 20)
        try Tool.inFolder(["good": good, "bad": Data("[]".utf8), "large": large]) { folder in
            let files = ["bad", "large", "none", "good"].map { folder + $0 }
            let outcome = try Tool.run(["catalog"] + files)
            #expect(outcome.output == "\(folder)good: revision 1, 0 items, 0 rewards, 0 left out\n")
            #expect(outcome.status == 66)
            #expect(
                outcome.error == """
                    referral-tool: \(folder)bad:1:1: '[' isn't expected here; a catalog is a JSON object
                    referral-tool: \(folder)large: The catalog has more than 1048576 bytes.
                    referral-tool: can't read '\(folder)none': No such file or directory

                    """
            )
            #expect(try Tool.run("catalog", files[0], files[1]).status == 65)
        }
    }
}
