import CloudKit
import ReferralInvitations

/// The guestbook in CloudKit, with somebody who notes what it is asked and what it answers.
struct WatchedGuestbook: Guestbook {
    let guestbook: CloudKitGuestbook
    let process: AppProcess
    let dues: Dues
    /// The phone's clock, in milliseconds.
    let now: @Sendable () -> Double

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        if process.isAlive { dues.willSign(entry, at: now()) }
        do throws(GuestbookError) {
            let answer = try await guestbook.sign(entry)
            if process.isAlive { dues.didSign(entry.program, nil, at: now()) }
            return answer
        } catch {
            if process.isAlive { dues.didSign(entry.program, error, at: now()) }
            throw error
        }
    }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        if process.isAlive { dues.willRead(referrer, at: now()) }
        do throws(GuestbookError) {
            let page = try await guestbook.records(for: referrer, after: cursor)
            if process.isAlive { dues.didRead(nil, at: now()) }
            return page
        } catch {
            if process.isAlive { dues.didRead(error, at: now()) }
            throw error
        }
    }

    func myself() async throws(GuestbookError) -> String {
        do throws(GuestbookError) { return try await guestbook.myself() } catch {
            // Who isn't signed in reads all the same.
            if process.isAlive, error != .notSignedIn { dues.didRead(error, at: now()) }
            throw error
        }
    }
}
