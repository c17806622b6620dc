import ReferralFoundation

/// A folder with the file.
///
///     invites.json
///     invites.lock
///     invites.damaged
final class InviteFolder: InviteStorage, @unchecked Sendable {
    private typealias File = OpenFile<InvitesError>

    private let folder: URL
    /// Only its center's actor uses it.
    private var lock: File?

    init(_ folder: URL) { self.folder = folder }

    private func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func open() throws(InvitesError) -> [UInt8]? {
        guard !folder.isInAppGroup else { throw .storage("The folder \(folder.path) is in an app group's container.") }
        if lock == nil {
            // In a folder that can't be made, no file can be opened.
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let lock = try File(url("invites.lock"), O_RDWR | O_CREAT)
            guard lock.tryLock() else { throw .storage("Another InviteCenter uses the folder \(folder.path).") }
            self.lock = lock
        }
        // Nobody else removes it while the folder is locked.
        guard FileManager.default.fileExists(atPath: url("invites.json").path) else { return nil }
        return try File(reading: url("invites.json")).contents()
    }

    func save(_ bytes: [UInt8]) throws(InvitesError) { try File.replace(url("invites.json"), with: bytes) }

    func keepAside(_ bytes: [UInt8]) throws(InvitesError) { try File.replace(url("invites.damaged"), with: bytes) }
}
