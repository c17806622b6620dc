import DataHandoff
import ReferralBridge
import ReferralInvitations
import Testing
import Unlocks

/// What a stranger wrote can't act on the sentences of an error, or fill them.
struct ForeignTextTests {
    private static let text = "\u{2069}\u{202E}\u{1B}[2J\u{2028}a" + String(repeating: "\u{301}\u{316}", count: 3_000)

    @Test(
        arguments: [
            HandoffError.wrongReceiver(text), HandoffError.wrongSender(text), HandoffError.invalidName(text),
            HandoffError.fileFailed(path: text, reason: text), HandoffError.fileExists(text),
            HandoffError.openDatabase(text), HandoffError.unexpectedApp(text), HandoffError.appFailed(text),
            UnlocksError.storage(text), UnlocksError.unknownItem(ItemID(text)), UnlocksError.notVerified(text),
            DownloadError.unreachable(reason: text), DownloadError.storage(text),
            DownloadError.unusable(reason: text), CatalogLoader.LoadError.download(.unreachable(reason: text)),
            CatalogLoader.LoadError.refused(reason: text),
            InvitesError.storage(text), InvitesError.guestbook(.failed(text)), GuestbookError.notAllowed(text),
            StorePageError.notAnAppPage(kind: text), StorePageError.invalidPart(name: text, problem: text),
            ReferralError.reservedParameterName(text),
        ] as [any Error & CustomStringConvertible]
    )
    func descriptions(error: any Error & CustomStringConvertible) {
        let description = error.description
        #expect(description.unicodeScalars.filter(\.isDisplayControl).isEmpty)
        #expect(description.contains("\\u{202E}"))
        #expect(description.utf8.count < 2_500)
    }

    @Test("a sentence shows the end of a name or of a reason only if it is short, and the whole of a text to copy")
    func lengths() {
        func text(_ count: Int) -> String { String(repeating: "n", count: count) }
        let sentence: Sentence = "\(name: text(81)) \(quoted: text(81)) \(reason: text(401)) \(whole: text(900)) \(1)"
        #expect(sentence.text == "\(text(80))… '\(text(80))…' \(text(400))… \(text(900)) 1")
        let foreign = "a\u{202E}b"
        let escaped: Sentence = "\(name: foreign) \(quoted: foreign) \(reason: foreign) \(whole: foreign)"
        #expect(escaped.text == #"a\u{202E}b 'a\u{202E}b' a\u{202E}b a\u{202E}b"#)
    }
}
