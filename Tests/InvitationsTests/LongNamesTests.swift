import DataHandoff
import Foundation
import ReferralBridge
import ReferralInvitations
import TestSupport
import Testing
import Unlocks

/// A stranger's text of many combining marks costs a reader no more than its bytes.
///
/// To compare or hash such a text, Swift sorts the marks, and the work takes the square of their number.
struct LongNamesTests {
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @Sendable (String) throws -> Void

        init(_ name: String, _ read: @escaping @Sendable (String) throws -> Void) {
            (testDescription, self.read) = (name, read)
        }
    }

    private static let scanner: ReferralScanner = {
        var scanner = ReferralScanner(appID: 1_300_230_302)
        scanner.landingPages = [LandingPage("https://example.com/get", parameterItems: ["pack"])]
        return scanner
    }()

    private static func opened(_ query: String) {
        _ = scanner.judge("https://example.com/get?\(query)", on: .opened).reason
    }

    private static func link(_ payload: String) {
        let value = Data(payload.utf8).base64EncodedString().replacing("+", with: "%2B")
        _ = scanner.judge("https://apps.apple.com/app/id1300230302?ed=\(value)").reason
    }

    private static func catalog(_ members: String) {
        let item = #"{"kind":"nonConsumable","product":"gold","grants":["gold"],\#(members)}"#
        _ = try? ShopCatalog(json: Data(#"{"format":1,"revision":1,"items":[\#(item)]}"#.utf8))
    }

    private static func package(_ members: String) {
        let own = #"{"transfer":"1","created":1,"from":"a","to":"b","schema":1,"files":[],"#
        _ = try? HandoffManifest(json: (own + members + "}").utf8)
    }

    static let readers: [Reader] = [
        Reader("a pasted text") { _ = scanner.judge($0).reason },
        Reader("an address") { _ = scanner.judge("https://apps.apple.com/app/id1300230302?\($0)").reason },
        Reader("an opened address's item") { opened("\($0)=1&via=anna") },
        Reader("an opened address's referrer") { opened("via=\($0)") },
        Reader("an opened address's parameter") { opened("via=anna&pack=\($0)") },
        Reader("a payload's member") { link(#"{"timestamp":1795224749690,"referrer":"anna","\#($0)":"x"}"#) },
        Reader("a payload's referrer") { link(#"{"timestamp":1795224749690,"referrer":"\#($0)"}"#) },
        Reader("a payload's text") { link(#"{"timestamp":1795224749690,"referrer":"anna","pack":"\#($0)"}"#) },
        Reader("a link") { _ = try? ReferralLink("https://apps.apple.com/app/id1300230302?\($0)") },
        Reader("a store page") { _ = try? StorePage("https://apps.apple.com/us/app/\($0)/id1300230302") },
        Reader("a handoff link's item") { _ = try? HandoffLink.parse("trestle://handoff?\($0)=1") },
        Reader("a handoff link's value") { _ = try? HandoffLink.parse("trestle://handoff?h=\($0)") },
        Reader("an old address") { _ = OldAddress("trestle://localhost/import?\($0)") },
        Reader("a package's sender") { package(#""from":"\#($0)""#) },
        Reader("a package's member") { package(#""files":[],"\#($0)":1"#) },
        Reader("a package's file") { package(#""files":[{"name":"\#($0)","length":1,"sha256":"a"}]"#) },
        Reader("an invite code") { _ = try? InviteCode($0) },
        Reader("a pasted invitation") { _ = try? InviteCode(pasting: "a://b 4F7K 9Q2M \($0)") },
        Reader("a guestbook's record") { _ = GuestbookRecord.name(creator: $0, program: $0) },
        Reader("a catalog's member") { catalog(#""id":"gold","\#($0)":1"#) },
        Reader("a catalog's item") { catalog(#""id":"\#($0)""#) },
        Reader("a catalog's kind") { catalog(#""id":"gold","kind":"\#($0)""#) },
        Reader("a catalog's language") { catalog(#""id":"gold","text":{"\#($0)":{"title":"x"}}"#) },
        Reader("a catalog's title") { catalog(#""id":"gold","text":{"en":{"title":"\#($0)"}}"#) },
        Reader("a catalog's platform") { catalog(#""id":"gold","platforms":["\#($0)"]"#) },
    ]

    @Test("a text of combining marks costs a reader no more than its bytes", arguments: readers)
    func marks(reader: Reader) throws {
        try expectLinear(64 << 10) { count in
            try reader.read("a" + String(repeating: "\u{301}\u{323}", count: count))
        }
    }
}
