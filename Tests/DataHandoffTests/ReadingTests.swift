#if os(Linux)
import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// How often a file is opened on its way, since it may be large. Linux counts it.
struct ReadingTests {
    /// Counts how often a file is opened, whichever of its names is used.
    private struct Openings {
        private let events = FileHandle(fileDescriptor: inotify_init1(Int32(IN_NONBLOCK)), closeOnDealloc: true)

        init(of file: URL) {
            // Equal events in succession are one, so the closings are needed between them.
            let mask = UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
            inotify_add_watch(events.fileDescriptor, file.path(), mask)
        }

        func count() -> Int {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let length = max(0, read(events.fileDescriptor, &bytes, bytes.count))
            // An event of a watched file has no name, so all are equally long.
            return stride(from: 0, to: length, by: MemoryLayout<inotify_event>.size).count { place in
                let event = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self) }
                return event.mask & UInt32(IN_OPEN) != 0
            }
        }
    }

    private func apps(hasGroup: Bool) throws -> Apps {
        try Apps(files: ["boards.sqlite": .incompressible(200_000)]) { route, folder in
            if hasGroup { route.group = folder.appending(path: "group") }
        }
    }

    private func openings(in folder: URL) throws -> Openings {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let file = files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == "boards.sqlite" }
        return Openings(of: try #require(file))
    }

    @Test("a file is read once when it is sent, once when it is taken, and once when it is installed")
    func group() async throws {
        let apps = try apps(hasGroup: true)
        let original = try openings(in: apps.folder.appending(path: "lite"))
        let request = try await apps.receiver.request()
        guard case .request(let delivery) = try await apps.sender.receive(request, from: Apps.paid),
            case .open(let answer) = try await delivery.send()
        else { throw HandoffError.notALink }
        #expect(original.count() == 1)

        let sent = try openings(in: apps.folder.appending(path: "group"))
        guard case .offer(let offer) = try await apps.receiver.receive(answer, from: Apps.lite) else {
            throw HandoffError.notALink
        }
        #expect(sent.count() == 1)

        let staged = try openings(in: apps.folder.appending(path: "storage"))
        try await offer.install(into: apps.documents).finish()
        // Twice only its first bytes are read, which tell whether it is a database.
        #expect(staged.count() == 3)
    }

    @Test("a file that is too large for a link is read once, and is shared as it was read")
    func tooLargeForLink() async throws {
        let apps = try apps(hasGroup: false)
        let original = try openings(in: apps.folder.appending(path: "lite"))
        let request = try await apps.receiver.request()
        guard case .request(let delivery) = try await apps.sender.receive(request, from: Apps.paid),
            case .share(let file) = try await delivery.send()
        else { throw HandoffError.notALink }
        #expect(original.count() == 1)

        let offer = try await apps.receiver.receive(fileAt: file)
        let staged = try openings(in: apps.folder.appending(path: "storage"))
        try await offer.install(into: apps.documents).finish()
        #expect(staged.count() == 3)
    }
}
#endif
