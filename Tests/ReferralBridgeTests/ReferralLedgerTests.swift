import Foundation
import ReferralBridge
import Testing

@MainActor
struct ReferralLedgerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "record").path() }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func record(_ milliseconds: Double) -> LedgerRecord {
        LedgerRecord(newestReported: Timestamp(milliseconds: milliseconds), readChangeCount: 7, isFirstLaunchOver: true)
    }

    @Test(
        "a file remembers the last record exactly",
        arguments: [1_795_224_750_690, 1_795_224_750_688.25, 1e16.nextDown]
    )
    func remembers(_ milliseconds: Double) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = FileLedger(path: path)
        #expect(try ledger.record() == LedgerRecord(), "before the first time there is no file")
        try ledger.save(record(1))
        try ledger.save(record(milliseconds))
        #expect(try FileLedger(path: path).record() == record(milliseconds))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["record"],
            "and nothing lies about"
        )
    }

    @Test("a file that is no ledger is an error and not an empty ledger", arguments: ["", "x", "12", "[]", "{"])
    func noLedger(_ content: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(content.utf8).write(to: URL(filePath: path))
        #expect(throws: DecodingError.self) { try FileLedger(path: path).record() }
    }

    @Test("the file is replaced as a whole: whoever has the old one open still reads the old one")
    func atomic() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = FileLedger(path: path)
        try ledger.save(record(1_795_224_750_690))
        let open = try FileHandle(forReadingFrom: URL(filePath: path))
        try ledger.save(record(1))
        let old = try JSONDecoder().decode(LedgerRecord.self, from: #require(try open.readToEnd()))
        #expect(old == record(1_795_224_750_690))
    }

    @Test("a file that cannot be read or written is an error")
    func unreachable() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: (any Error).self) { try FileLedger(path: folder.path()).record() }
        #expect(throws: (any Error).self) {
            try FileLedger(path: folder.appending(path: "missing/record").path()).save(record(1))
        }
    }

    @Test("a ledger in memory remembers as long as it lives")
    func memory() {
        let ledger = MemoryLedger(record(1))
        #expect(ledger.record() == record(1))
        ledger.save(record(2))
        #expect(ledger.record() == record(2))
    }
}
