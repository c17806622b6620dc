import Foundation
import ReferralSiteCheck
import TestSupport
import Testing

/// Association files and addresses by the vectors, and the limits of the matcher.
struct AssociationTests {
    struct Case: Decodable, CustomTestStringConvertible {
        let name: String
        let file: String
        let appID: String
        let url: String
        let result: String
        let detail: Int?
        let component: Int?

        var testDescription: String { name }
    }

    private struct Vectors: Decodable {
        let association: [Case]
    }

    private static let cases = (try? readVectors("roads", as: Vectors.self))?.association ?? []

    @Test("there are vectors")
    func vectors() { #expect(Self.cases.count >= 73) }

    @Test("the vectors", arguments: cases)
    func vector(_ vector: Case) throws {
        let file = try AssociationFile(Array(vector.file.utf8))
        let decision = file.decision(on: vector.url, for: [vector.appID])
        let result = decision.map { $0.component.isExclude ? "excluded" : "matched" } ?? "unmatched"
        #expect(result == vector.result)
        #expect(decision?.detail == vector.detail)
        #expect(decision?.number == vector.component)
    }

    private func match(_ component: String, _ url: String, variables: String = "{}") throws -> Bool {
        let entry = #"{"appIDs":["A.b"],"components":[\#(component)]}"#
        let text = #"{"applinks":{"substitutionVariables":\#(variables),"details":[\#(entry)]}}"#
        return try AssociationFile(Array(text.utf8)).decision(on: url, for: ["A.b"]) != nil
    }

    @Test("an element that isn't an object matches everything, and one that isn't an entry nothing")
    func otherTypes() throws {
        #expect(try match("1", "https://example.com/get"))
        for text in [#"{"applinks":[]}"#, #"{"applinks":{"details":[1,"x",{"appIDs":"A.b"}]}}"#, "{}"] {
            let file = try AssociationFile(Array(text.utf8))
            #expect(file.decision(on: "https://example.com/", for: ["A.b"])?.number == nil)
        }
    }

    @Test(
        "what isn't JSON is refused at its place",
        arguments: [
            ("", 0), ("[]", 0), (#"{"applinks":}"#, 12), ("{} x", 3), (String(repeating: "[", count: 9), 0),
            (#"{"a":"# + String(repeating: "[", count: 99), 68),
        ]
    )
    func notJSON(_ text: String, _ offset: Int) {
        #expect { try AssociationFile(Array(text.utf8)) } throws: { ($0 as? AssociationFile.Failure)?.offset == offset }
    }

    /// The limits are many times what is needed. Going back would take years.
    @Test(
        "time grows with the pattern times the address",
        .endsIfHung,
        arguments: [
            (String(repeating: "*a", count: 500) + "b", "{}"),
            (String(repeating: "?*", count: 500) + "b", "{}"),
            (String(repeating: "$(v)", count: 500) + "b", #"{"v":["a","aa","aaa","*","a*a","*a*"]}"#),
            (String(repeating: "*$(region)", count: 300), "{}"),
        ]
    )
    func time(_ pattern: String, _ variables: String) throws {
        let url = "https://example.com/" + String(repeating: "a", count: 2_000)
        #expect(try !match(#"{"/":"/\#(pattern)"}"#, url, variables: variables))
    }

    @Test("a file of 128 KiB with thousands of components is read in time", .endsIfHung)
    func manyComponents() throws {
        let values = (0..<4_000).map { #""a\#($0)*""# }.joined(separator: ",")
        let components = Array(repeating: #"{"/":"*$(v)z"}"#, count: 4_000).joined(separator: ",")
        let url = "https://example.com/" + String(repeating: "a1", count: 100)
        #expect(try !match(components, url, variables: #"{"v":[\#(values)]}"#))
    }
}
