import Foundation
import ReferralAppSupport
import Testing

/// The libraries' files in one app: nothing that a package brings takes their places. `StrangerTests` refuses the names.
struct RoomsTests {
    @Test("no source names a file that isn't in the list, but the one beside an item's content")
    func sources() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        var names: Set<String> = []
        for module in ["Unlocks", "ReferralInvitations", "ReferralBasics", "ReferralBridge", "ReferralClip"] {
            let folder = sources.appending(path: module)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where path.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                let named = text.matches(of: /(?:appendingPathComponent|appending|url)\("([^"\\]+)/)
                // A name whose end is made.
                names.formUnion(named.map { $0.1.hasSuffix(".") ? $0.1 + "x" : String($0.1) })
            }
        }
        #expect(names.isSuperset(of: ["journal", "invites.json", "clip.json"]))
        let unlisted = names.filter { name in
            !LibraryFiles.names.keys.contains { $0 == name || LibraryFiles.isReached(by: $0 + "/" + name) }
        }
        #expect(unlisted == ["list"])
    }
}
