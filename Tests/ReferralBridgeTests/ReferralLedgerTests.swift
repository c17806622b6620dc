import Foundation
import TestSupport
import Testing

@testable import ReferralBridge

@MainActor
struct ReferralLedgerTests {
    private let place = TemporaryFolder("ledger")
    private var folder: URL { place.url }
    private var url: URL { folder.appending(path: "record") }

    private func record(_ milliseconds: Double) -> LedgerRecord {
        LedgerRecord(
            reported: ReportedTaps(
                last: Timestamp(milliseconds: milliseconds),
                recent: [Timestamp(milliseconds: milliseconds + 0.25)]
            ),
            lastRead: PasteboardMark(changeCount: 7, startOfDevice: Timestamp(milliseconds: 12.5)),
            emptyRead: PasteboardMark(changeCount: 8),
            isFirstLaunchOver: true
        )
    }

    @Test(
        "a file remembers the last record exactly",
        arguments: [1_795_224_750_690, 1_795_224_750_688.25, 1e16.nextDown]
    )
    func remembers(_ milliseconds: Double) throws {
        let ledger = FileLedger(url)
        #expect(try ledger.load() == nil, "before the first time there is no file")
        try record(1).save(in: ledger)
        try record(milliseconds).save(in: ledger)
        #expect(try LedgerRecord(FileLedger(url).load()) == record(milliseconds))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["record"], "nothing lies about")
    }

    @Test("a file that can't be written completely isn't replaced, and the error is Foundation's, with the reason")
    func fails() throws {
        let ledger = FileLedger(url)
        try record(1).save(in: ledger)
        let other = folder.appending(path: "record.new")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let error = try #require(throws: CocoaError.self) { try record(2).save(in: ledger) }
        #expect(error.code == .fileWriteUnknown && "\(error.userInfo)".contains("directory"))
        #expect(try LedgerRecord(ledger.load()) == record(1))
    }

    @Test("a file that isn't a ledger is an error, not an empty ledger", arguments: ["", "x", "12", "[]", "{"])
    func noLedger(_ content: String) throws {
        try FileLedger(url).save(Data(content.utf8))
        #expect(throws: DecodingError.self) { try LedgerRecord(FileLedger(url).load()) }
    }
}
