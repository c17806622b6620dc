import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

/// How many people the system asks under which setting, and how many of them had tapped.
@MainActor
struct WhoIsAskedTests {
    private struct Count {
        /// People without a tap: asked at the first launch, and later.
        var (first, later) = (0, 0)
        /// People with a tap.
        var (asked, reported) = (0, 0)
    }

    /// Whether a person without a tap has an address on the clipboard at each visit, or a note.
    private static func copies(_ random: inout SeededGenerator) -> [Bool] {
        (0..<6).map { _ in Int.random(in: 0..<4, using: &random) == 0 }
    }

    private static func count(_ policy: SimulatedPolicy) -> Count {
        var count = Count()
        var random = SeededGenerator(state: 1)
        for _ in 0..<1_000 {
            let copies = copies(&random)
            simulate { device in
                var questions: [Int] = []
                for isAddress in copies {
                    let asked = device.process?.questions ?? 0
                    device.copy(.init([isAddress ? "https://example.com" : "a note"], isLink: isAddress))
                    device.open(policy)
                    device.wait(60)
                    questions.append((device.process?.questions ?? 0) - asked)
                    device.leave()
                    device.wait(3_600)
                }
                if questions[0] > 0 { count.first += 1 }
                if questions.dropFirst().contains(where: { $0 > 0 }) { count.later += 1 }
            }
        }
        for _ in 0..<1_000 {
            let seconds = Double.random(in: 20..<290, using: &random)
            simulate { device in
                device.tap()
                device.wait(seconds)
                device.open(policy)
                device.wait(60)
                if device.process?.questions ?? 0 > 0 { count.asked += 1 }
                if !device.reported.isEmpty { count.reported += 1 }
            }
        }
        return count
    }

    private nonisolated static let isPrinted = ProcessInfo.processInfo.environment["WHO_IS_ASKED"] != nil

    // Four thousand phones take seconds if they aren't optimized.
    @Test(
        "the article's table and its drawing say who is asked, and by default nobody is asked after the first launch",
        .enabled(if: isOptimized || isPrinted)
    )
    func table() throws {
        var rows: [String] = []
        var drawn: [Int] = []
        for policy in [SimulatedPolicy.firstLaunch, .everyone] {
            let count = Self.count(policy)
            #expect(count.reported == 1_000)
            #expect(policy != .firstLaunch || count.later == 0)
            drawn += [count.first, count.later]
            rows.append("| `\(policy)` | \(count.first) | \(count.later) | \(count.asked) | \(count.reported) |")
        }
        var random = SeededGenerator(state: 1)
        let copies = (0..<1_000).map { _ in Self.copies(&random)[0] }
        #expect(rows[0].hasPrefix("| `firstLaunch` | \(copies.count { $0 }) | 0 |"))
        if Self.isPrinted { print(rows.joined(separator: "\n")) }
        let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../Sources/ReferralBridge/Documentation.docc")
        let text = try String(contentsOf: folder.appending(path: "WhatPeopleSee.md"), encoding: .utf8)
        for row in rows { #expect(text.contains(row + "\n")) }
        let drawing = try String(contentsOf: folder.appending(path: "who-is-asked.svg"), encoding: .utf8)
        #expect(drawing.matches(of: /class="count">(\d+)</).map { Int($0.1) } == drawn)
    }
}
