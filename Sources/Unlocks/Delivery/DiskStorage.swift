import ReferralFoundation

/// A folder with the journal and the content. A `.json` file beside a content folder marks it as complete. Until then
/// there is a `.new` file, which belongs to the process that fills the folder.
///
///     journal
///     journal.damaged-1
///     catalog-revision           (of the CatalogLoader)
///     content/purchase-2000000123/…
///     content/purchase-2000000123.files/…        (of the ContentFolder)
///     content/purchase-2000000123.json
///     content/purchase-2000000124/…
///     content/purchase-2000000124.new
///     pictures/…                 (of PictureFiles)
actor DiskStorage: UnlocksStorage {
    private typealias File = OpenFile<UnlocksError>

    private static let (description, incomplete) = (".json", ".new")
    private static let maximumCopies = 100

    private let folder: URL
    private var journal: File?
    /// Whether the file can still be written. After a failed flush, the contents of the disk aren't known.
    private var isUsable = false
    /// The folder that is being filled, and the `.new` file beside it. As long as they are open here, the file system gives their
    /// inode numbers to no other file.
    private var filling: (folder: File, marker: File)?
    /// Lines of other processes that wrote a new journal after this one had been removed.
    private var others: [UInt8] = []

    private var journalURL: URL { folder.appendingPathComponent("journal") }
    private nonisolated var content: URL { folder.appendingPathComponent("content") }

    init(_ folder: URL) { self.folder = folder }

    // MARK: The journal

    func openJournal() throws(UnlocksError) -> [UInt8] {
        guard !folder.isInAppGroup else { throw .folderIsShared }
        try Self.makeFolder(folder)
        // After a restore from a backup, there may be no room for it. The journal can be read anyway.
        try? makeContent()
        // One that was opened before and couldn't be used is still locked.
        (journal, isUsable) = (nil, false)
        let journal = try openWithName(journalURL)
        let bytes = try journal.contents()
        if bytes.isEmpty {
            // Flushes the names of new files and folders.
            for folder in [folder, folder.deletingLastPathComponent()] { try? File(folder: folder).flush() }
        }
        (self.journal, isUsable) = (journal, true)
        return bytes
    }

    func appendToJournal(_ lines: [UInt8], at length: Int) throws(UnlocksError) -> Bool {
        guard let journal else { throw .storage("The journal is not open.") }
        guard isUsable, journal.hasName() else { return false }
        do {
            try journal.write(lines, at: length)
            try journal.truncate(to: length + lines.count)
            // If the write fails, the contents of the disk aren't known.
            isUsable = false
            try journal.flush()
            isUsable = true
        } catch {
            do {
                try journal.truncate(to: length)
            } catch {
                isUsable = false
                // At the next launch, a line without an end is ignored.
                try? journal.write([UInt8](repeating: UInt8(ascii: " "), count: lines.count), at: length)
            }
            throw error
        }
        return true
    }

    func replaceJournal(_ bytes: [UInt8]) throws(UnlocksError) -> Int {
        if journal?.hasName() != true {
            try Self.makeFolder(folder)
            let other = try openWithName(journalURL)
            others += try other.contents()
            // An incomplete line must not run into the next one.
            if let last = others.last, last != UInt8(ascii: "\n") { others.append(UInt8(ascii: "\n")) }
            (journal, isUsable) = (other, false)
        }
        let bytes = others + bytes
        let new = try write(bytes, as: journalURL)
        (journal, isUsable) = (new, false)
        try File(folder: folder).flush()
        isUsable = true
        return bytes.count
    }

    func keepAside(_ bytes: [UInt8]) throws(UnlocksError) {
        for number in 1...Self.maximumCopies {
            let copy = folder.appendingPathComponent("journal.damaged-\(number)")
            if number < Self.maximumCopies, FileManager.default.fileExists(atPath: copy.path) {
                // Lines that were added since then aren't damaged.
                guard try !bytes.starts(with: File(copy, O_RDONLY).contents()) else { return }
                continue
            }
            _ = try write(bytes, as: copy)
            return
        }
    }

    /// Writes a file as a whole or not at all, and locks it.
    private func write(_ bytes: [UInt8], as url: URL) throws(UnlocksError) -> File {
        // Once it has its name, nobody else can lock it.
        let file = try openWithName(folder.appendingPathComponent("journal.new"))
        try file.truncate(to: 0)
        try file.write(bytes, at: 0)
        try file.flush()
        try file.rename(to: url)
        return file
    }

    /// Opens and locks a file. Between the two, another process may have replaced or renamed it.
    private func openWithName(_ url: URL) throws(UnlocksError) -> File {
        for _ in 0..<100 {
            let file = try File(url, O_RDWR | O_CREAT)
            guard file.tryLock() else { throw .folderInUse }
            if file.hasName() { return file }
        }
        throw .folderInUse
    }

    // MARK: The content

    private func makeContent() throws(UnlocksError) {
        try Self.makeFolder(content)
        // After a restore from a backup, the app downloads its content again. The journal is in the backup.
        content.excludeFromBackup()
    }

    nonisolated func folder(_ name: String) -> URL { content.appendingPathComponent(name) }

    func makeFolder(_ name: String) throws(UnlocksError) -> URL {
        let folder = content.appendingPathComponent(name)
        // Something may have removed all content.
        try makeContent()
        try remove(name + Self.description)
        // A new marker, so that no other process can complete the folder with the old one.
        try remove(name + Self.incomplete)
        let marker = try File(content.appendingPathComponent(name + Self.incomplete), O_RDWR | O_CREAT | O_EXCL)
        try Self.makeFolder(folder)
        filling = (try File(folder: folder), marker)
        return folder
    }

    func completeFolder(_ name: String, _ description: String) throws(UnlocksError) -> Bool {
        let complete = content.appendingPathComponent(name + Self.description)
        guard let (folder, marker) = filling, folder.url.lastPathComponent == name, folder.hasName(), marker.hasName()
        else { return false }
        try marker.write(Array((description + "\n").utf8), at: 0)
        try marker.rename(to: complete)
        filling = nil
        return true
    }

    func isComplete(_ name: String) -> Bool {
        [name, name + Self.description].allSatisfy {
            FileManager.default.fileExists(atPath: content.appendingPathComponent($0).path)
        }
    }

    func completeFolders() throws(UnlocksError) -> Set<String> {
        do {
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: content.path))
            return names.filter { names.contains($0 + Self.description) }
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw .storage("The folder \(content.path) can't be read: \(error)")
        }
    }

    func removeFolder(_ name: String) throws(UnlocksError) {
        // The marker again at the end, since another process may have begun to fill the folder meanwhile.
        let files = [Self.incomplete, Self.description]
        for part in files + ["", ContentFolder.suffix] + files { try remove(name + part) }
    }

    private func remove(_ name: String) throws(UnlocksError) {
        do {
            try FileManager.default.removeItem(at: content.appendingPathComponent(name))
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // The file's existence isn't checked first, because an unreadable disk would report that it doesn't exist.
        } catch {
            throw .storage("\(error)")
        }
    }

    private static func makeFolder(_ url: URL) throws(UnlocksError) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .storage("The folder \(url.path) can't be made: \(error)")
        }
    }
}
