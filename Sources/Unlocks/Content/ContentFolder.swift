import Foundation
import ReferralFoundation

/// The folder for the content of a grant, and beside it a folder for the files that are being loaded:
///
///     purchase-2000000123/boards/gold.json
///     purchase-2000000123.files/list                  the files of the catalog that are in the content
///     purchase-2000000123.files/DIGEST-LENGTH.part    the beginning of a file
///     purchase-2000000123.files/DIGEST-LENGTH.tag     where that is from
///     purchase-2000000123.files/DIGEST-LENGTH         a whole file, checked and on the disk
///
/// Files are named by what is in them, so two that are equal are loaded once.
struct ContentFolder {
    typealias File = CatalogItem.File

    let content: URL
    let files: URL

    /// The end of the name of the folder beside a content folder.
    static let suffix = ".files"

    init(_ content: URL) {
        self.content = content
        files = content.deletingLastPathComponent()
            .appendingPathComponent(content.lastPathComponent + Self.suffix, isDirectory: true)
    }

    // MARK: Names

    func url(of file: File) -> URL { content.appendingPathComponent(file.path, isDirectory: false) }

    func loaded(_ file: File) -> URL { files.appendingPathComponent(file.contentName, isDirectory: false) }

    func part(of file: File) -> URL { loaded(file).appendingPathExtension("part") }

    func tag(of file: File) -> URL { loaded(file).appendingPathExtension("tag") }

    private var list: URL { files.appendingPathComponent("list", isDirectory: false) }

    // MARK: What is there

    /// Whether the content has exactly these files of the catalog. Only their lengths are looked at.
    func has(_ wanted: [File]) -> Bool {
        guard !wanted.isEmpty else { return !FileManager.default.fileExists(atPath: files.path) }
        return Set(wanted.map { Entry($0) }) == Set(entries ?? [])
            && wanted.allSatisfy { length(of: url(of: $0)) == $0.length }
    }

    /// Whether the content has a file with the right digest.
    func isInPlace(_ file: File) -> Bool { (try? isRight(url(of: file), file)) ?? false }

    /// Whether a file has the right length and digest.
    private func isRight(_ url: URL, _ file: File) throws(DownloadError) -> Bool {
        guard length(of: url) == file.length else { return false }
        var hash = SHA256()
        try OpenFile<DownloadError>(reading: url, followsLink: false).readAll { part throws(DownloadError) in
            hash.update(part)
            return true
        }
        return hash.finish().hexadecimal == file.sha256
    }

    /// Whether a whole file is here that isn't in its place yet.
    func isLoaded(_ file: File) -> Bool { length(of: loaded(file)) == file.length }

    /// The length of a regular file; `nil` if there is none.
    func length(of url: URL) -> Int? {
        var status = stat()
        guard lstat(url.path, &status) == 0, mode_t(status.st_mode) & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    // MARK: Changes

    func make() throws(DownloadError) { try Self.makeFolder(files) }

    /// Removes parts that no file of the catalog needs.
    func removeStrays(except wanted: [File]) {
        let names = Set(wanted.map(\.contentName))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? [] {
            let stem = name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
            guard name != list.lastPathComponent, !names.contains(stem) else { continue }
            unlink(files.appendingPathComponent(name, isDirectory: false).path)
        }
    }

    /// Checks a whole part, and gives it its name once it is on the disk. A wrong one is removed.
    func accept(_ file: File) throws(DownloadError) {
        guard try isRight(part(of: file), file) else {
            for url in [part(of: file), tag(of: file)] { unlink(url.path) }
            throw .wrongDigest
        }
        let whole = try OpenFile<DownloadError>(part(of: file), O_RDWR)
        try whole.flush()
        unlink(tag(of: file).path)
        try whole.rename(to: loaded(file))
    }

    /// Copies a file from the content of another grant, if it is there and right. If that fails, it has to be loaded.
    ///
    /// On APFS, a copy needs no room until one of the two is changed.
    func copy(_ file: File, from others: [DeliveredContent]) {
        for other in others where !isLoaded(file) {
            guard let twin = other.files.first(where: { $0.contentName == file.contentName }) else { continue }
            let source = ContentFolder(other.folder).url(of: twin)
            guard (try? isRight(source, file)) == true, (try? copy(source, to: part(of: file))) != nil else { continue }
            try? accept(file)
        }
    }

    /// Puts the loaded files into their places, and removes those that the catalog doesn't name any more. If the list is empty,
    /// nothing remains beside the content.
    func install(_ wanted: [File]) throws(DownloadError) {
        // These first, since a folder may take the place of one of them.
        removeOld(except: wanted)
        if wanted.isEmpty {
            guard FileManager.default.fileExists(atPath: files.path) else { return }
            return try Self.change { try FileManager.default.removeItem(at: files) }
        }
        let loaded = Dictionary(grouping: wanted.filter(isLoaded), by: \.contentName)
        // If the app ends before all files are in their places, none counts, and a later catalog removes those that it doesn't
        // name.
        if !loaded.isEmpty { try keepList(of: wanted.map { Entry($0, isInPlace: false) }) }
        var folders: Set<URL> = [content]
        for equal in loaded.values.sorted(by: { $0[0].path < $1[0].path }) {
            // The last one of equal files is moved, and the others are copies.
            for (number, file) in equal.enumerated() {
                var source = self.loaded(file)
                if number < equal.count - 1 {
                    try copy(source, to: part(of: file))
                    source = part(of: file)
                }
                let place = url(of: file)
                folders.insert(place.deletingLastPathComponent())
                try Self.makeFolder(place.deletingLastPathComponent())
                try OpenFile<DownloadError>(reading: source, followsLink: false).rename(to: place)
            }
        }
        for folder in folders { try OpenFile<DownloadError>(folder: folder).flush() }
        try keepList(of: wanted.map { Entry($0) })
        removeStrays(except: [])
    }

    private func copy(_ source: URL, to copy: URL) throws(DownloadError) {
        unlink(copy.path)
        try Self.change { try FileManager.default.copyItem(at: source, to: copy) }
        try OpenFile<DownloadError>(reading: copy, followsLink: false).flush()
    }

    /// Removes the files of an earlier catalog. Files that the app itself has written stay.
    private func removeOld(except wanted: [File]) {
        // On some file systems, names that differ only in case are the same.
        let names = Set(wanted.map { FileNames.folded($0.path) })
        for entry in entries ?? [] where !names.contains(FileNames.folded(entry.path)) {
            unlink(content.appendingPathComponent(entry.path, isDirectory: false).path)
            // Its folders too, as long as they are empty.
            for folder in FileNames.folders(of: entry.path).reversed() {
                guard rmdir(content.appendingPathComponent(folder, isDirectory: true).path) == 0 else { break }
            }
        }
    }

    private static func makeFolder(_ url: URL) throws(DownloadError) {
        try change { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    }

    /// Changes files by Foundation.
    private static func change(_ change: () throws -> Void) throws(DownloadError) {
        do {
            try change()
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw isFull ? .noSpace(needed: 0) : .storage(error.localizedDescription)
        }
    }

    // MARK: The list

    private struct Entry: Codable, Hashable {
        let path: String
        let length: Int
        /// Empty while the file isn't in its place.
        let sha256: String

        init(_ file: File, isInPlace: Bool = true) {
            (path, length) = (file.path, file.length)
            sha256 = isInPlace ? file.sha256 : ""
        }
    }

    /// Writes down which files are in the content, unless it is written already: then a full disk is no failure.
    private func keepList(of entries: [Entry]) throws(DownloadError) {
        guard self.entries != entries, let json = try? JSONEncoder().encode(entries) else { return }
        try OpenFile<DownloadError>.replace(list, with: Array(json))
    }

    /// The files of the list; `nil` if it can't be read, or if somebody has changed it to name files outside of the content.
    private var entries: [Entry]? {
        guard let json = try? Data(contentsOf: list), let entries = try? JSONDecoder().decode([Entry].self, from: json),
            FileNames.firstInvalid(entries.map(\.path)) == nil
        else { return nil }
        return entries
    }
}

extension CatalogItem.File {
    /// A name for everything with this content.
    var contentName: String { "\(sha256)-\(length)" }
}
