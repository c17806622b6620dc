#if canImport(UIKit)
import Foundation
import ReferralInvitations
import SwiftUI
import TestSupport
import Testing
import UIKit
import Unlocks

@testable import Trestle

extension PlatformTests {
    /// A week in which Anna invites friends to Trestle.
    @MainActor
    struct InviteWeekTests {
        private let code = "3B7A-YZGH-W048"
        private let anna = InviteStage.Phone("anna", code: "3B7A-YZGH-W048", hasOnboarded: true)

        @Test("three friends come by an invitation, and the person who invited them is thanked")
        func week() async throws {
            let stage = InviteStage()

            try await stage.open(anna, day: 0)
            try stage.press("Invite a friend")
            await until("nobody has come") { stage.texts.contains("0 friends have come") }
            let link = try #require(stage.rendering.shared.first)
            #expect(link.item.absoluteString == "https://example.com/get?via=3B7A-YZGH-W048")
            #expect(link.message == "Build bridges with me in Trestle. With my link, you get a bonus board.")
            let scanned = try #require(stage.scannedCode)
            #expect(scanned == link.item)

            // He scans the code on her screen, with which the system starts the app.
            try await stage.open(.init("ben"), day: 1)
            try stage.openLink(scanned, as: .activity)
            await until("he is welcomed") { stage.texts.contains("You were invited") }
            try stage.press("Begin")
            try await finishBoard(stage)
            await expectSignatures(1, stage)

            try await stage.open(.init("cem"), day: 2)
            try stage.type("3b7a yzgh w049")
            try stage.type("3b7a yzgh w048")
            try stage.press("Use Code")
            await until("it is accepted") { stage.texts.contains("You were invited") }
            try stage.press("Begin")
            try await finishBoard(stage)
            await expectSignatures(2, stage)

            try await stage.open(anna, day: 3)
            try stage.press("Invite a friend")
            await until("two have come") { stage.texts.contains("2 friends have come") }
            await until("both are counted") { stage.counted.friends == 2 }
            #expect(stage.counted.rewards == 0)

            // The system delivers her tap on the link twice.
            try await stage.open(.init("dana", hasOnboarded: true), day: 4)
            try stage.openLink(link.item, as: .activityAndAddress)
            await until("it has arrived") { stage.texts.contains("Sent by: 3B7A-YZGH-W048") }
            try await finishBoard(stage)
            await expectSignatures(3, stage)

            try await stage.open(anna, day: 5)
            let thanks = "Thank you! Three friends have come by your invitation. The silver boards are yours."
            await until("she is thanked") { stage.texts.contains(thanks) }
            try stage.press("Invite a friend")
            await until("three have come") { stage.texts.contains("3 friends have come") }
            try stage.closeSheet()
            try stage.press("Play on")
            try stage.type(code)
            try stage.press("Use Code")
            await until("it is refused") { stage.texts.contains("This is your own code. Give it to a friend.") }

            try await stage.tearDown()
        }

        @Test("Trestle counts links, typed codes and finished boards, and shares the counts as it shows them")
        func counts() async throws {
            let stage = InviteStage()
            let ben = InviteStage.Phone("ben", hasOnboarded: true)
            try await stage.open(ben, day: 0)
            try stage.openLink(try #require(URL(string: "https://example.com/get?via=spring%E2%80%AE")))
            try stage.press("Finish a board")
            try await stage.open(ben, day: 1)
            try stage.type(code)
            try stage.press("Use Code")
            await until("it has arrived") { stage.texts.contains("Sent by: \(code)") }
            try stage.press("Finish a board")
            try stage.press("Show the counts")
            let shared = try #require(stage.rendering.sharedTexts.first)
            #expect(stage.texts.contains(shared.replacing("\u{202E}", with: #"\u{202E}"#)))
            for row in [
                #""day":"2026-11-21","outcome":"found","referrer":"spring\#u{202E}","road":"opened""#,
                #""day":"2026-11-21","event":"finished-board","referrer":"spring\#u{202E}""#,
                #""day":"2026-11-22","group":"invitations","outcome":"found","road":"typed""#,
                #""day":"2026-11-22","event":"finished-board","group":"invitations""#,
            ] { #expect(shared.contains("{\"count\":1,\(row)}"), "\(shared)") }
            try await stage.tearDown()
        }

        /// A friend comes by Anna's code, and finishes a board.
        private func comes(
            _ name: String,
            day: Int,
            _ stage: InviteStage,
            programs: [InviteProgram] = [TrestleInvitations.program]
        ) async throws {
            try await stage.open(.init(name), day: Double(day), programs: programs)
            try stage.type(code)
            try stage.press("Use Code")
            await until("it is accepted") { stage.texts.contains("You were invited") }
            try await finishBoard(stage)
        }

        private func finishBoard(_ stage: InviteStage) async throws {
            try stage.press("Finish a board")
            await until("the bonus board is open") { stage.shop?.state(of: "bonus").isUnlocked == true }
        }

        /// Expects that the first so many friends have signed, and nobody else.
        private func expectSignatures(_ count: Int, _ stage: InviteStage) async {
            let expected = ["ben", "cem", "dana", "emil", "fay", "gil"].prefix(count).map { "\($0) by \(code)" }
            await rest()
            #expect(await stage.signatures == expected)
        }
    }
}
#endif
