import Foundation
import ReferralBridge
import TestSupport
import Testing

@MainActor
struct ReferralLedgerTests {
    private let place = TemporaryFolder("ledger")
    private var folder: URL { place.url }
    private var url: URL { folder.appending(path: "record") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func record(_ milliseconds: Double) -> LedgerRecord {
        LedgerRecord(
            lastReported: Timestamp(milliseconds: milliseconds),
            recentlyReported: [Timestamp(milliseconds: milliseconds + 0.25)],
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
        let ledger = FileLedger(url: url)
        #expect(try ledger.load() == LedgerRecord(), "before the first time there is no file")
        try ledger.save(record(1))
        try ledger.save(record(milliseconds))
        #expect(try FileLedger(url: url).load() == record(milliseconds))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["record"],
            "and nothing lies about"
        )
    }

    @Test("a file that isn't a ledger is an error, not an empty ledger", arguments: ["", "x", "12", "[]", "{"])
    func noLedger(_ content: String) throws {
        try Data(content.utf8).write(to: url)
        #expect(throws: DecodingError.self) { try FileLedger(url: url).load() }
    }

    @Test("the file is replaced as a whole: whoever has the old one open still reads the old one")
    func atomic() throws {
        let ledger = FileLedger(url: url)
        try ledger.save(record(1_795_224_750_690))
        let open = try FileHandle(forReadingFrom: url)
        try ledger.save(record(1))
        let old = try JSONDecoder().decode(LedgerRecord.self, from: #require(try open.readToEnd()))
        #expect(old == record(1_795_224_750_690))
    }

    @Test("a file that cannot be read or written is an error")
    func unreachable() throws {
        #expect(throws: (any Error).self) { try FileLedger(url: folder).load() }
        #expect(throws: (any Error).self) {
            try FileLedger(url: folder.appending(path: "missing/record")).save(record(1))
        }
    }

    @Test("a ledger in memory remembers as long as it lives")
    func memory() {
        let ledger = InMemoryLedger(record(1))
        #expect(ledger.load() == record(1))
        ledger.save(record(2))
        #expect(ledger.load() == record(2))
    }
}
