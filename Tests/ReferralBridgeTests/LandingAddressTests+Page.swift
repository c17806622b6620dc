// iOS has no processes that an app may start.
#if os(macOS) || os(Linux)

import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

extension LandingAddressTests {
    private struct Answer: Decodable {
        struct Found: Decodable {
            let referrer: String
            let parameters: [String: String]
        }

        let address: String
        let found: Found?
    }

    @Test("page and app read the same of any address")
    func random() throws {
        let count = samples(4_000, long: 30_000)
        let seed =
            ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64(UInt32.max))
        var random = SeededGenerator(state: seed)
        let addresses = (0..<count).map { _ in RandomAddress.make(&random) }

        let page = try readVectors("landing-addresses", as: Table.self).page
        let scanner = Self.scanner(page, at: ["https://example.com/get", "https://xn--bcher-kva.example/get"])
        let answers = try Self.tapped(page, addresses)
        try #require(answers.count == count)
        var found = 0
        for (address, answer) in zip(addresses, answers) {
            let isRead = answer.address.utf8.count <= 65_536 && !Self.hasPayload(answer.address)
            let expected = isRead ? answer.found : nil
            let referral = scanner.judge(answer.address, on: .opened).arrival?.referral
            if expected != nil { found += 1 }
            guard
                Self.texts(referral?.referrer, referral?.parameters)
                    != Self.texts(expected?.referrer, expected?.parameters)
            else { continue }
            Issue.record(
                "SEED=\(seed): \(address.debugDescription)\napp: \(String(describing: referral))\npage: \(answer)"
            )
            return
        }
        #expect(found > count / 2, "addresses without a referral show nothing")
    }

    /// What a tap on the page copies at each of the addresses: its own script runs in Node.
    private static func tapped(_ page: Table.Page, _ addresses: [String]) throws -> [Answer] {
        let file = FileManager.default.temporaryDirectory.appending(path: "addresses-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = try addresses.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)

        let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let script = project.appending(path: "web/tests/tapped.mjs")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "node", script.path(), String(decoding: try JSONEncoder().encode(page), as: UTF8.self), file.path(),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answers = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try answers.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Answer.self, from: $0) }
    }

    /// An app reads an item `ed` as a link's, and nothing else of that address.
    private static func hasPayload(_ address: String) -> Bool {
        let query = address.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let last = query.split(separator: "&").last { $0 == "ed" || $0.hasPrefix("ed=") }
        return last.map { $0.utf8.count > 3 } ?? false
    }

    /// As bytes, since Unicode's equivalents aren't the same.
    private static func texts(_ referrer: String?, _ parameters: [String: String]?) -> [[UInt8]] {
        ([referrer ?? ""] + (parameters ?? [:]).sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }).map {
            Array($0.utf8)
        }
    }
}

#endif
