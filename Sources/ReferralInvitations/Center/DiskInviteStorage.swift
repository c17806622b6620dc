import ReferralFoundation

/// A folder with the file.
///
///     invites.json
///     invites.lock
///     invites.damaged
final class DiskInviteStorage: InviteStorage, @unchecked Sendable {
    private typealias File = OpenFile<InvitesError>

    private let folder: URL
    /// Only its center's actor uses it.
    private var lock: File?

    init(_ folder: URL) { self.folder = folder }

    private func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func open() throws(InvitesError) -> [UInt8]? {
        guard !folder.isInAppGroup else { throw .folderIsShared }
        if lock == nil {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw .storage("The folder \(folder.path) can't be made: \(error)")
            }
            let lock = try File(url("invites.lock"), O_RDWR | O_CREAT)
            guard lock.tryLock() else { throw .folderInUse }
            self.lock = lock
        }
        do throws(ReadingFailure) {
            return try OpenFile<ReadingFailure>(reading: url("invites.json")).contents()
        } catch {
            guard let error = error.error else { return nil }
            throw error
        }
    }

    func save(_ bytes: [UInt8]) throws(InvitesError) {
        try write(bytes, as: "invites.json")
    }

    func keepAside(_ bytes: [UInt8]) throws(InvitesError) {
        try write(bytes, as: "invites.damaged")
    }

    private func write(_ bytes: [UInt8], as name: String) throws(InvitesError) {
        let file = try File(url("invites.new"), O_RDWR | O_CREAT | O_TRUNC)
        try file.write(bytes, at: 0)
        try file.flush()
        try file.rename(to: url(name))
        try File(folder: folder).flush()
    }
}

private struct ReadingFailure: FileFailure {
    /// The error; `nil` if there is no file.
    let error: InvitesError?

    init(_ problem: FileProblem, at url: URL) {
        error = problem == .system(ENOENT) ? nil : InvitesError(problem, at: url)
    }
}
