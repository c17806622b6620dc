import Foundation
import Testing

/// `referral-tool catalog --storekit`.
struct CatalogStoreKitTests {
    private static let catalog = #"""
        {"format":1,"revision":1,"items":[
         {"id":"gold","product":"p.gold","kind":"nonConsumable","grants":["g"],"text":{"en":{"title":"Gold"},"de":{"title":"Gold"}}},
         {"id":"hints","product":"p.hints","kind":"consumable","amount":10,"grants":["h"],"text":{"en":{"title":"Hints"}}},
         {"id":"club","product":"p.club","kind":"subscription","grants":["c"]},
         {"id":"pass","product":"p.pass","kind":"nonRenewing","days":30,"grants":["c"]},
         {"id":"try","product":"p.try","kind":"trial","days":14,"grants":["c"]},
         {"id":"daily","kind":"allowance","amount":3,"refill":"day","grants":["d"]},
         {"id":"gift","free":true,"kind":"nonConsumable","grants":["t"]}
        ]}
        """#

    /// A product with names in two languages, as Xcode writes it, but on one line.
    private static func product(_ id: String, _ type: String, price: String = "1.99", _ locales: String = "en_US,de")
        -> String
    {
        let localizations = locales.split(separator: ",").map { locale in
            #"{"description":"","displayName":"A name","locale":"\#(locale)"}"#
        }
        return
            #"{"displayPrice":"\#(price)","familyShareable":false,"localizations":[\#(localizations.joined(separator: ","))],"#
            + #""productID":"\#(id)","referenceName":"x","type":"\#(type)"}"#
    }

    private static let gold = product("p.gold", "NonConsumable")
    private static let hints = product("p.hints", "Consumable")
    private static let trial = product("p.try", "NonConsumable", price: "0.00")
    private static let pass = product("p.pass", "NonRenewingSubscription")
    private static let club = product("p.club", "RecurringSubscription")

    /// A configuration with a line for each list.
    private static func configuration(
        _ products: [String] = [gold, hints, trial],
        nonRenewing: [String] = [pass],
        subscriptions: [String] = [club],
        version: String = #"{"major":4,"minor":0}"#
    ) -> String {
        """
        {"identifier":"1",
        "products":[\(products.joined(separator: ",\n"))],
        "nonRenewingSubscriptions":[\(nonRenewing.joined(separator: ",\n"))],
        "subscriptionGroups":[{"id":"2","subscriptions":[\(subscriptions.joined(separator: ",\n"))]}],
        "version":\(version)}
        """
    }

    /// Runs the command in a folder with both files. `FOLDER` stands for its path in what it prints.
    private func run(
        _ configuration: String,
        catalog: String = Self.catalog,
        _ options: String...
    ) throws -> (output: String, error: String, status: Int32) {
        try run(Data(configuration.utf8), catalog: catalog, options)
    }

    private func run(
        _ configuration: Data,
        catalog: String = Self.catalog,
        _ options: [String] = []
    ) throws -> (output: String, error: String, status: Int32) {
        try Tool.inFolder(["c.json": Data(catalog.utf8), "s.storekit": configuration]) { folder in
            let outcome = try Tool.run(["catalog", folder + "c.json", "--storekit", folder + "s.storekit"] + options)
            let (output, error) = (
                outcome.output.replacing(folder, with: ""), outcome.error.replacing(folder, with: "")
            )
            return (output, error, outcome.status)
        }
    }

    private static func differences(_ output: String) -> [String] {
        output.split(separator: "\n").filter { !$0.contains(": revision ") }.map(String.init)
    }

    @Test(
        "equal products are no difference, in each version of the format",
        arguments: [
            #"{"major":1,"minor":1}"#, #"{"major":2,"minor":0}"#, #"{"major":3,"minor":0}"#, #"{"major":4,"minor":0}"#,
        ]
    )
    func equal(version: String) throws {
        let outcome = try run(Self.configuration(version: version))
        #expect(outcome.output == "c.json: revision 1, 7 items, 0 rewards, 0 left out, 0 differences from s.storekit\n")
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
    }

    @Test("a product that is missing on either side is shown where it is")
    func missing() throws {
        let more = Self.product("p.silver", "NonConsumable")
        let outcome = try run(Self.configuration([Self.gold, Self.trial, more], nonRenewing: []))
        #expect(
            outcome.output == """
                c.json:3:16: The product 'p.hints' isn't in s.storekit.
                c.json:5:15: The product 'p.pass' isn't in s.storekit.
                s.storekit:4:181: The product 'p.silver' isn't in c.json.
                c.json: revision 1, 7 items, 0 rewards, 0 left out, 3 differences from s.storekit

                """
        )
        #expect(outcome.status == 1)
    }

    @Test("a product that is missing is shown in its own item, whatever is left out before it")
    func places() throws {
        let catalog = #"""
            {"format":1,"revision":1,"items":[
             7,
             {"id":"a","product":"p.gold","kind":"nonConsumable","grants":["g"],"icon":7},
             {"id":"b","product":"p.b","kind":"nonConsumable","grants":["g"],
              "product":"p.c"}]}
            """#
        let outcome = try run(Self.configuration([Self.gold], nonRenewing: [], subscriptions: []), catalog: catalog)
        #expect(outcome.output.contains("\nc.json:5:3: The product 'p.c' isn't in s.storekit.\n"), "\(outcome.output)")
        #expect(outcome.output.contains("1 left out, 1 difference from"))
    }

    @Test("an item that isn't sold needs no product, and one that is left out is no difference")
    func exempt() throws {
        let catalog = #"""
            {"format":1,"revision":1,"items":[
             {"id":"a","product":"p.a","kind":"nonConsumable","grants":["g"],"enabled":false},
             {"id":"b","product":"p.b","kind":"nonConsumable","grants":["g"],"free":true},
             {"id":"c","product":"p.gold","kind":"mystery","grants":["g"]}]}
            """#
        let outcome = try run(Self.configuration([Self.gold], nonRenewing: [], subscriptions: []), catalog: catalog)
        #expect(Self.differences(outcome.output).count == 1)
        #expect(outcome.output.contains("1 left out, 0 differences"))
    }

    @Test("a product of another type is shown with the type that its kind needs")
    func types() throws {
        let sold = [Self.gold, Self.hints, Self.trial, Self.pass, Self.club]
        for (place, (product, type, kind)) in [
            ("p.gold", "NonConsumable", "nonConsumable"), ("p.hints", "Consumable", "consumable"),
            ("p.try", "NonConsumable", "trial"), ("p.pass", "NonRenewingSubscription", "nonRenewing"),
            ("p.club", "RecurringSubscription", "subscription"),
        ].enumerated() {
            for (member, problem) in [
                (#""type":"Other""#, #"has the type "Other""#), (#""type":7"#, "has the type 7"),
                (#""x":1"#, "has no type"),
            ] {
                var products = sold
                products[place] = sold[place].replacing(#""type":"\#(type)""#, with: member)
                let output = try run(Self.configuration(products, nonRenewing: [], subscriptions: [])).output
                let requirement = #"it must be "\#(type)", because it is a \#(kind) in c.json."#
                let found = Self.differences(output)
                #expect(found.count == 1)
                #expect(
                    found.first?.hasSuffix(": The product '\(product)' \(problem); \(requirement)") == true,
                    "\(found)"
                )
            }
        }
    }

    @Test(
        "a trial that costs something, or whose price can't be read, is a difference",
        arguments: [
            (#""displayPrice":"0.99""#, false), (#""displayPrice":"0.00""#, true), (#""displayPrice":"0""#, true),
            (#""displayPrice":"0,00""#, true), (#""displayPrice":0"#, true), (#""displayPrice":0.0"#, true),
            (#""displayPrice":"""#, false), (#""displayPrice":".""#, false), (#""displayPrice":"free""#, false),
            (#""displayPrice":"0.0.0""#, false), (#""displayPrice":null"#, false), (#""displayPrice":0.01"#, false),
            (#""x":0"#, false),
        ]
    )
    func trial(price: String, isFree: Bool) throws {
        let trial = Self.trial.replacing(#""displayPrice":"0.00""#, with: price)
        let outcome = try run(Self.configuration([Self.gold, Self.hints, trial]))
        #expect(outcome.status == (isFree ? 0 : 1))
        let differences = Self.differences(outcome.output)
        #expect(differences.count == (isFree ? 0 : 1))
        #expect(
            differences.allSatisfy { $0.hasSuffix(#"it must be "0.00", because a trial is free."#) },
            "\(differences)"
        )
        // Only a trial has to be free.
        let free = Self.gold.replacing("1.99", with: "0.00")
        #expect(try run(Self.configuration([free, Self.hints, Self.trial])).status == 0)
    }

    @Test("a product needs a name in each language of the catalog, in whatever form the locale is written")
    func languages() throws {
        func missing(_ locales: String, _ languages: String...) throws -> String? {
            let texts = languages.map { "\"\($0)\":{\"title\":\"x\"}" }.joined(separator: ",")
            let catalog =
                #"{"format":1,"revision":1,"items":[{"id":"a","product":"p","kind":"consumable","amount":1,"grants":["g"]},"#
                + #"{"id":"b","free":true,"kind":"nonConsumable","grants":["g"],"text":{\#(texts)}}]}"#
            let product = Self.product("p", "Consumable", locales)
            let output = try run(Self.configuration([product], nonRenewing: [], subscriptions: []), catalog: catalog)
                .output
            let found = Self.differences(output)
            #expect(found.count < 2)
            guard let first = found.first, let start = first.firstRange(of: "displayName in "),
                let end = first.firstRange(of: ", which c.json has.")
            else { return nil }
            return String(first[start.upperBound..<end.lowerBound])
        }
        #expect(try missing("en_US,de", "en", "de") == nil)
        #expect(try missing("en_US,de", "en", "de", "fr") == "'fr'")
        #expect(try missing("en_US", "de", "fr") == "'de', 'fr'")
        #expect(try missing("en_US", "en-GB") == "'en-GB'")
        #expect(try missing("zh_Hant", "zh-Hans", "ZH-hant") == "'zh-Hans'")
        #expect(try missing("de,pt_BR", "de-AT", "pt") == nil)
        #expect(try missing("de", "den") == "'den'")
        #expect(try missing("", "en") == "'en'")
        #expect(try missing("x", "a", "b", "c", "d", "e", "f", "g") == "'a', 'b', 'c', 'd', 'e' and 2 more")
    }

    @Test("an empty name is none, and neither is a localization of another form")
    func emptyNames() throws {
        for (name, replacement) in [
            (#""displayName":"A name""#, #""displayName":"""#), (#""displayName":"A name""#, #""displayName":7"#),
            (#""locale":"de""#, #""locale":7"#), (#"{"description":"""#, #"{"description":7"#),
        ] {
            let gold = Self.gold.replacing(name, with: replacement)
            let outcome = try run(Self.configuration([gold, Self.hints, Self.trial]))
            let isName = replacement.contains("description")
            #expect(outcome.status == (isName ? 0 : 1), "\(replacement)")
            #expect(
                outcome.output.contains("s.storekit:2:60: The product 'p.gold' has no displayName in 'de'") == !isName
            )
        }
        for localizations in ["7", "[7]", "[[]]", "null"] {
            let gold = #"{"productID":"p.gold","type":"NonConsumable","localizations":\#(localizations)}"#
            let output = try run(Self.configuration([gold, Self.hints, Self.trial])).output
            #expect(
                Self.differences(output) == [
                    "s.storekit:2:58: The product 'p.gold' has no displayName in 'de', 'en', which c.json has."
                ]
            )
        }
    }

    @Test("a detail in the catalog needs a description in the configuration, in the same language")
    func descriptions() throws {
        func missing(_ localizations: String, _ details: [String: String] = ["en": "x", "de": "y", "fr": ""])
            throws -> [String]
        {
            let texts = details.map { language, detail in #""\#(language)":{"title":"x","detail":"\#(detail)"}"# }
            let catalog =
                #"{"format":1,"revision":1,"items":[{"id":"a","product":"p","kind":"consumable","amount":1,"grants":["g"],"#
                + #""text":{\#(texts.joined(separator: ","))}},"#
                // The details of another item don't matter.
                + #"{"id":"b","free":true,"kind":"nonConsumable","grants":["g"],"text":{"fr":{"title":"x","detail":"z"}}}]}"#
            let product = #"{"productID":"p","type":"Consumable","localizations":[\#(localizations)]}"#
            let configuration = Self.configuration([product], nonRenewing: [], subscriptions: [])
            let outcome = try run(configuration, catalog: catalog)
            let found = Self.differences(outcome.output)
            #expect(outcome.status == (found.isEmpty ? 0 : 1))
            return found
        }
        let english = #"{"locale":"en_US","displayName":"A name","description":"x"}"#
        func with(_ german: String) -> String {
            english + #",{"locale":"de","displayName":"A name"\#(german)},{"locale":"fr","displayName":"A name"}"#
        }
        let start = "s.storekit:2:50: The product 'p' has no"
        let difference = ["\(start) description in 'de', although c.json has a detail."]
        #expect(try missing(with(#","description":"y""#)) == [])
        for german in [#","description":"""#, #","description":7"#, ""] {
            #expect(try missing(with(german)) == difference)
        }
        #expect(try missing(with(""), ["en": "x", "de": "", "fr": ""]) == [])
        let regions = try missing(with(""), ["en": "x", "de-AT": "y", "fr": "z"])
        #expect(regions == ["\(start) description in 'de-AT', 'fr', although c.json has a detail."])
        // A language that isn't there at all is reported once.
        #expect(try missing(english) == ["\(start) displayName in 'de', 'fr', which c.json has."])
    }

    @Test("what is wrong in the configuration itself is shown with the differences, and hides no product after it")
    func damaged() throws {
        let products = [
            "7", #"{"type":"Consumable"}"#, #"{"productID":""}"#, Self.gold, Self.gold, Self.hints,
            Self.trial.replacing(#""type""#, with: #""type":"Other","type""#),
        ]
        let configuration = Self.configuration(products).replacing(#"[{"id":"2""#, with: #"[[], {"id":"2""#)
        let outcome = try run(configuration)
        #expect(
            outcome.output == """
                s.storekit:2:13: A product in products is 7; it must be an object.
                s.storekit:3:1: A product in products has no productID; it must be a text of 1 to 256 bytes.
                s.storekit:4:2: A product in products has the productID ""; it must be a text of 1 to 256 bytes.
                s.storekit:6:181: The product 'p.gold' is in this file twice; only the first one counts.
                s.storekit:8:236: A product in products already has the member 'type'; only this one counts.
                s.storekit:10:23: A group in subscriptionGroups is []; it must be an object.
                c.json: revision 1, 7 items, 0 rewards, 0 left out, 6 differences from s.storekit

                """
        )
        #expect(outcome.status == 1)
    }

    @Test(
        "a file that is no configuration says where it is wrong, and nothing else is done",
        arguments: [
            ("", "1:1: it is empty; a StoreKit configuration is a JSON object"),
            ("[]", "1:1: a StoreKit configuration is a JSON object, which begins with {"),
            ("\n{\"products\":[}", "2:14: the JSON is wrong here: '}' isn't expected"),
            ("{\"products\":[\n", "2:1: the JSON ends too early"),
            ("{\"a\":" + String(repeating: "[", count: 100_000), "1:69: the JSON has more than 64 levels of nesting"),
            (
                " {\"items\":[]}",
                "1:2: a StoreKit configuration has a member products, nonRenewingSubscriptions, subscriptionGroups"
            ),
            ("{\n\"products\":{}}", "2:1: the member products is {}; it must be a list"),
            (
                "{\"nonRenewingSubscriptions\":null}",
                "1:2: the member nonRenewingSubscriptions is null; it must be a list"
            ),
            (
                "{\"subscriptionGroups\":[{\n \"subscriptions\":7}]}",
                "2:2: the member subscriptions is 7; it must be a list"
            ),
            ("\u{FEFF}{}", "1:1: the file begins with a byte order mark, which isn't JSON; save the file without one"),
        ]
    )
    func refused(configuration: String, message: String) throws {
        let outcome = try run(configuration)
        #expect(outcome.error == "referral-tool: s.storekit:\(message)\n")
        #expect(outcome.output == "")
        #expect(outcome.status == 65)
    }

    @Test("a configuration that isn't UTF-8, is too large or isn't there is refused")
    func unreadable() throws {
        let latin = try run(Data("{\"a\":\n\"".utf8) + [0xE4] + Data("\"}".utf8))
        #expect(latin.error == "referral-tool: s.storekit:2:2: the file is not UTF-8 here\n")
        #expect(latin.status == 65)
        let large = try run(Data(repeating: 0x20, count: 32 << 20 + 1))
        #expect(large.error == "referral-tool: s.storekit: a StoreKit configuration has at most 33554432 bytes\n")
        #expect(large.status == 65)
        let none = try Tool.run("catalog", "-", "--storekit", "/nowhere/s.storekit")
        #expect(none.error == "referral-tool: can't read '/nowhere/s.storekit': No such file or directory\n")
        #expect(none.status == 66)
    }

    @Test("names in the configuration are shown without control characters, and cut short")
    func hostileNames() throws {
        let product = Self.product(#"\u001b[31m"# + String(repeating: "x", count: 200), "Consumable")
        let outcome = try run(Self.configuration([Self.gold, Self.hints, Self.trial, product]))
        #expect(outcome.output.contains(#"The product '\u{1B}[31mxxx"#))
        #expect(outcome.output.utf8.count < 400)
    }

    @Test("JSON has the differences of each catalog, with their files")
    func json() throws {
        let outcome = try run(Self.configuration([Self.gold, Self.trial, "7"]), "--json")
        #expect(
            outcome.output.contains(
                #""notes":[],"differences":[{"file":"c.json","line":3,"column":16,"product":"p.hints","#
                    + #""message":"The product 'p.hints' isn't in s.storekit."},{"file":"s.storekit","line":4,"column":1,"product":null,"#
            ),
            "\(outcome.output)"
        )
        #expect(outcome.status == 1)
        let alone = try Tool.run("catalog", "-", "--json", input: Self.catalog)
        #expect(!alone.output.contains("differences"))
    }

    @Test("a catalog from standard input is compared too")
    func standardInput() throws {
        try Tool.inFolder(["s.storekit": Data(Self.configuration([Self.gold, Self.trial]).utf8)]) { folder in
            let outcome = try Tool.run("catalog", "-", "--storekit", folder + "s.storekit", input: Self.catalog)
            #expect(
                outcome.output.hasPrefix("standard input:3:16: The product 'p.hints' isn't in \(folder)s.storekit.\n")
            )
        }
    }

    @Test("Trestle's catalog, the store in Xcode and the boards of the website are the same")
    func trestle() throws {
        let examples = URL(filePath: #filePath).appending(path: "../../../Examples").standardized.path
        let (catalog, store) = (examples + "/Trestle/Sources/catalog.json", examples + "/Trestle/Trestle.storekit")
        let outcome = try Tool.run(["catalog", catalog, "--storekit", store, "--files", examples + "/TrestleSite"])
        let counts = "revision 2, 5 items, 2 rewards, 0 left out"
        #expect(outcome.output == "\(catalog): \(counts), 0 differences from \(store), 40 files\n")
        #expect(outcome.error.isEmpty)
        #expect(outcome.status == 0)
    }
}
