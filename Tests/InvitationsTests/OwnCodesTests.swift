import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

/// The codes of a user with several devices.
struct OwnCodesTests {
    private let clock = TestClock(.firstLaunch)
    private let guestbook = InMemoryGuestbook(user: "_anna")

    @Test("a code of the user's other devices is their own before the app has called start too")
    func beforeStart() async {
        let center = InviteCenter(guestbook, MemoryStorage(), codes: MemoryCodes("4F7K-9Q2M-XRKQ"), clock: clock)
        #expect(await center.isOwn("4f7k 9q2m xrkq"))
    }

    @Test("if there are more codes than devices share, they agree on the smallest ones, and none forgets its own")
    func manyCodes() async throws {
        try await JobQueue.runToEnd {
            let texts = (0..<40).map { _ in InviteCode.random().text }.sorted()
            let codes = MemoryCodes()
            var phones: [InviteCenter] = []
            for own in texts.suffix(2) {
                codes.receive(own)
                let phone = InviteCenter(guestbook, MemoryStorage(), codes: codes, clock: clock)
                try await phone.start()
                phones.append(phone)
            }
            var saveCounts: [Int] = []
            codes.receive(texts.prefix(32).joined(separator: " "))
            for _ in 0..<6 {
                let count = codes.loadCount
                codes.receive(try #require(codes.load()))
                await JobQueue.settle()
                #expect(codes.loadCount >= count + 3)
                for phone in phones { _ = await phone.isOwn("x") }
                saveCounts.append(codes.saveCount)
            }
            #expect(saveCounts.last == saveCounts[3], "two devices write in turns: \(saveCounts)")
            #expect(codes.load() == texts.prefix(32).joined(separator: " "))
            for (phone, own) in zip(phones, texts.suffix(2)) {
                #expect(await phone.isOwn(own))
                #expect(try await phone.code().text == texts[0])
            }
        }
    }
}
