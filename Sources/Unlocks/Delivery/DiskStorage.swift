import DurableFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A folder with the journal and the content. A file beside a folder's content says that it is complete. Until then it is called
/// *.new*, and belongs to the process that fills the folder.
///
///     journal
///     journal.damaged-1
///     catalog-revision           (of the CatalogLoader)
///     content/purchase-2000000123/…
///     content/purchase-2000000123.json
///     content/purchase-2000000124/…
///     content/purchase-2000000124.new
actor DiskStorage: UnlocksStorage {
    private typealias File = OpenFile<UnlocksError>

    private static let (description, incomplete) = (".json", ".new")
    private static let maximumCopies = 100

    private let folder: URL
    private var journal: File?
    /// Whether more can be written to the file. After a failed flush nobody knows what is on the disk.
    private var isUsable = false
    /// Beside the folder that is being filled.
    private var marker: File?
    /// The lines of other processes that wrote a journal after somebody had removed this one.
    private var others: [UInt8] = []

    private var journalURL: URL { folder.appendingPathComponent("journal") }
    private var content: URL { folder.appendingPathComponent("content") }

    init(_ folder: URL) { self.folder = folder }

    // MARK: The journal

    func openJournal() throws(UnlocksError) -> [UInt8] {
        guard !Self.isShared(folder) else { throw .folderIsShared }
        try Self.makeFolder(content)
        Self.excludeFromBackup(content)
        let journal = try openWithName()
        let bytes = try journal.contents()
        if bytes.isEmpty {
            // The names of what is new here.
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
            // If this fails, nobody knows what is on the disk.
            isUsable = false
            try journal.flush()
            isUsable = true
        } catch {
            do {
                try journal.truncate(to: length)
            } catch {
                isUsable = false
                // A line without an end says nothing at the next launch.
                try? journal.write([UInt8](repeating: UInt8(ascii: " "), count: lines.count), at: length)
            }
            throw error
        }
        return true
    }

    func replaceJournal(_ bytes: [UInt8]) throws(UnlocksError) -> Int {
        if journal?.hasName() != true {
            try Self.makeFolder(folder)
            let other = try openWithName()
            others += try other.contents()
            // A line that isn't whole must not become one with the next.
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
                // What was written behind it since isn't damaged.
                guard try !bytes.starts(with: File(copy, O_RDONLY).contents()) else { return }
                continue
            }
            _ = try write(bytes, as: copy)
            return
        }
    }

    /// Writes a file that is there as a whole or not at all, and locks it.
    private func write(_ bytes: [UInt8], as url: URL) throws(UnlocksError) -> File {
        let temporary = folder.appendingPathComponent("journal.new")
        let file = try File(temporary, O_RDWR | O_CREAT | O_TRUNC)
        // Nobody else can open it once it has its name.
        guard file.tryLock() else { throw .folderInUse }
        try file.write(bytes, at: 0)
        try file.flush()
        try file.rename(to: url)
        return file
    }

    /// Opens and locks the journal. Between the two, another process may have replaced it.
    private func openWithName() throws(UnlocksError) -> File {
        for _ in 0..<100 {
            let journal = try File(journalURL, O_RDWR | O_CREAT)
            guard journal.tryLock() else { throw .folderInUse }
            if journal.hasName() { return journal }
        }
        throw .folderInUse
    }

    // MARK: The content

    func makeFolder(_ name: String) throws(UnlocksError) -> URL {
        let folder = content.appendingPathComponent(name)
        try remove(name + Self.description)
        // A new one, so that nobody else completes the folder with it.
        try remove(name + Self.incomplete)
        marker = try File(content.appendingPathComponent(name + Self.incomplete), O_RDWR | O_CREAT | O_EXCL)
        try Self.makeFolder(folder)
        return folder
    }

    func completeFolder(_ name: String, _ description: String) throws(UnlocksError) -> Bool {
        let complete = content.appendingPathComponent(name + Self.description)
        guard let marker, marker.url.lastPathComponent == name + Self.incomplete, marker.hasName() else { return false }
        guard FileManager.default.fileExists(atPath: content.appendingPathComponent(name).path) else { return false }
        try marker.write(Array((description + "\n").utf8), at: 0)
        try marker.rename(to: complete)
        self.marker = nil
        return true
    }

    func completeFolders() throws(UnlocksError) -> Set<String> {
        do {
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: content.path))
            return names.filter { names.contains($0 + Self.description) }
        } catch {
            throw .storage("The folder \(content.path) can't be read: \(error)")
        }
    }

    func removeFolder(_ name: String) throws(UnlocksError) {
        // Again at the end, since another process may have begun to fill it meanwhile.
        let files = [Self.incomplete, Self.description]
        for part in files + [""] + files { try remove(name + part) }
    }

    private func remove(_ name: String) throws(UnlocksError) {
        do {
            try FileManager.default.removeItem(at: content.appendingPathComponent(name))
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // Whether it is there isn't asked before: a disk that can't be read would answer no.
        } catch {
            throw .storage("\(error)")
        }
    }

    /// Whether a folder is in an app group's container: in `Shared/AppGroup` on iOS, in `Group Containers` on a Mac.
    private static func isShared(_ url: URL) -> Bool {
        let components = url.resolvingSymlinksInPath().pathComponents
        return components.contains("Group Containers")
            || zip(components, components.dropFirst()).contains { $0 == "Shared" && $1 == "AppGroup" }
    }

    /// What the app has downloaded it downloads again after a restore from a backup. The journal is in the backup.
    private static func excludeFromBackup(_ url: URL) {
        #if canImport(Darwin)
        var (url, values) = (url, URLResourceValues())
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #endif
    }

    private static func makeFolder(_ url: URL) throws(UnlocksError) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .storage("The folder \(url.path) can't be made: \(error)")
        }
    }
}
