import Foundation
import ReferralBridge
import Testing

struct ReferralLedgerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "reported").path() }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test(
        "a file remembers the newest tap exactly",
        arguments: [1_795_224_750_690, 1_795_224_750_688.25, 1e16.nextDown]
    )
    func remembers(_ milliseconds: Double) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = FileLedger(path: path)
        #expect(try ledger.newestReported() == nil, "before the first tap there is no file")
        try ledger.remember(Timestamp(milliseconds: 1))
        try ledger.remember(Timestamp(milliseconds: milliseconds))
        #expect(try FileLedger(path: path).newestReported()?.milliseconds == milliseconds)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["reported"],
            "and nothing lies about"
        )
    }

    @Test(
        "a file that is no ledger is an error and not an empty ledger",
        arguments: ["", "x\n", "nan\n", "12", "1\n2\n"]
    )
    func noLedger(_ content: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(content.utf8).write(to: URL(filePath: path))
        #expect(throws: FileLedger.Failure.noLedger(path: path)) { try FileLedger(path: path).newestReported() }
    }

    @Test("the file is replaced as a whole: whoever has the old one open still reads the old one")
    func atomic() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = FileLedger(path: path)
        try ledger.remember(Timestamp(milliseconds: 1_795_224_750_690))
        let open = try FileHandle(forReadingFrom: URL(filePath: path))
        try ledger.remember(Timestamp(milliseconds: 1))
        #expect(try open.readToEnd().map { String(decoding: $0, as: UTF8.self) } == "1795224750690.0\n")
    }

    @Test("a file that cannot be read or written is an error")
    func unreachable() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: (any Error).self) { try FileLedger(path: folder.path()).newestReported() }
        #expect(throws: (any Error).self) {
            try FileLedger(path: folder.appending(path: "missing/reported").path()).remember(Fixture.now)
        }
    }

    @Test("a ledger in memory remembers as long as it lives")
    func memory() async {
        let ledger = MemoryLedger(newestReported: Timestamp(milliseconds: 1))
        #expect(await ledger.newestReported()?.milliseconds == 1)
        await ledger.remember(Fixture.now)
        #expect(await ledger.newestReported() == Fixture.now)
    }
}
