import Foundation
import ReferralBridge
import ReferralInvitations

/// A person who invites and a person who was invited, with a guestbook in a folder, in a process that a test can end at any
/// moment.
///
///     invites FOLDER STEP…
///
/// The steps are `arrival`, `event`, `signing` and `thanks`. It prints each step once the app has been told that it is done.
@main
struct InvitesProbe {
    static func main() async {
        let folder = URL(fileURLWithPath: CommandLine.arguments[1])
        let programs = [InviteProgram("invite-2026", event: "first-board")]
        func center(of user: String, ownReferrer: String?) -> InviteCenter {
            InviteCenter(
                guestbook: FileGuestbook(user: user, folder: folder.appendingPathComponent("guestbook")),
                programs: programs,
                folder: folder.appendingPathComponent(user),
                ownReferrer: ownReferrer
            )
        }
        var done: Set<String> = []
        let (guest, host) = (center(of: "guest", ownReferrer: nil), center(of: "host", ownReferrer: "anna"))
        // The app is told that a step has failed, and tries it again.
        for step in CommandLine.arguments.dropFirst(2).flatMap({ [$0, $0] }) where !done.contains(step) {
            do {
                switch step {
                case "arrival":
                    try await guest.start()
                    await guest.settled()
                    guard try await guest.record(Arrival(Referral(referrer: "anna"), road: .opened)) else { continue }
                case "event": try await guest.recordEvent("first-board")
                case "signing":
                    try await guest.start()
                    await guest.settled()
                    guard try await guest.pendingEntries.isEmpty else { continue }
                case "thanks":
                    try await host.start()
                    await host.settled()
                    try await host.readEntries()
                    let entries = try await host.entries
                    guard !entries.isEmpty else { continue }
                    say("\(entries.count) counted")
                default: fatalError("unknown step")
                }
                say(step)
                done.insert(step)
            } catch {
                say("failed: \(step): \(error)")
            }
        }
    }

    /// Writes a line at once: the process may be ended in the next moment.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// A guestbook with a file for each record.
struct FileGuestbook: Guestbook {
    let user: String
    let folder: URL

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        let name = GuestbookRecord.name(creator: user, program: entry.program)
        let file = folder.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: file.path) {
            InvitesProbe.say("asked again")
            return .alreadySigned
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("\(user)\n\(entry.program)\n\(entry.referrer)".utf8).write(to: file, options: .atomic)
        } catch {
            throw .failed("\(error)")
        }
        return .signed
    }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let records = names.compactMap { name -> GuestbookRecord? in
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let fields = text?.split(separator: "\n").map(String.init) ?? []
            guard fields.count == 3, fields[2] == referrer else { return nil }
            return GuestbookRecord(name: name, creator: fields[0], program: fields[1])
        }
        return GuestbookPage(records, cursor: nil)
    }

    func myself() async throws(GuestbookError) -> String { user }
}
