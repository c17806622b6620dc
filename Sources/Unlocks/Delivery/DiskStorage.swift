import Foundation
import ReferralFoundation

/// A folder with the journal and the content. A `.json` file beside a content folder marks it as complete.
///
///     journal
///     journal.lock               (locked while the journal is open)
///     content/purchase-2000000123/…
///     content/purchase-2000000123.files/…        (of the ContentFolder)
///     content/purchase-2000000123.json
actor DiskStorage: UnlocksStorage {
    private typealias File = OpenFile<UnlocksError>

    private static let description = ".json"

    private let folder: URL
    private var lock: File?

    private nonisolated var content: URL { folder.appendingPathComponent("content") }

    init(_ folder: URL) { self.folder = folder }

    // MARK: The journal

    func openJournal() throws(UnlocksError) -> [UInt8] {
        guard !folder.isInAppGroup else { throw .folderIsShared }
        try Self.makeFolder(folder)
        if lock == nil {
            let lock = try File(folder.appendingPathComponent("journal.lock"), O_RDWR | O_CREAT)
            guard lock.tryLock() else { throw .folderInUse }
            self.lock = lock
        }
        let journal = folder.appendingPathComponent("journal")
        return try FileManager.default.fileExists(atPath: journal.path) ? File(reading: journal).contents() : []
    }

    func writeJournal(_ bytes: [UInt8]) throws(UnlocksError) {
        // Something may have removed it.
        try Self.makeFolder(folder)
        try File.replace(folder.appendingPathComponent("journal"), with: bytes)
    }

    // MARK: The content

    nonisolated func folder(_ name: String) -> URL { content.appendingPathComponent(name) }

    func makeFolder(_ name: String) throws(UnlocksError) -> URL {
        // Something may have removed all content.
        try Self.makeFolder(content)
        // After a restore from a backup, the app downloads its content again. The journal is in the backup.
        #if canImport(Darwin)
        var (url, values) = (content, URLResourceValues())
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #endif
        try remove(name + Self.description)
        try Self.makeFolder(folder(name))
        return folder(name)
    }

    func completeFolder(_ name: String, _ description: [UInt8]) throws(UnlocksError) -> Bool {
        guard FileManager.default.fileExists(atPath: folder(name).path) else { return false }
        try File.replace(folder(name + Self.description), with: description)
        return true
    }

    func completeFolders() throws(UnlocksError) -> Set<String> {
        do {
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: content.path))
            return names.filter { names.contains($0 + Self.description) }
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw .storage("The folder for content can't be read: \(error.localizedDescription)")
        }
    }

    func removeFolder(_ name: String) throws(UnlocksError) {
        for part in [Self.description, "", ContentFolder.suffix] { try remove(name + part) }
    }

    private func remove(_ name: String) throws(UnlocksError) {
        do {
            try FileManager.default.removeItem(at: folder(name))
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // The file's existence isn't checked first, because an unreadable disk would report that it doesn't exist.
        } catch {
            throw .storage("\(name) can't be removed: \(error.localizedDescription)")
        }
    }

    private static func makeFolder(_ url: URL) throws(UnlocksError) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .storage("The folder \(url.lastPathComponent) can't be made: \(error.localizedDescription)")
        }
    }
}
