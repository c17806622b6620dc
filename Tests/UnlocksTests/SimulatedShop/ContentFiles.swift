import Foundation
import Unlocks

/// The files of the catalog in the folder of a content and in the one beside it, as ``ContentFolder`` has them.
///
/// Of a file, only the digest and the length are there. Each digest is one character, again and again.
struct ContentFiles {
    typealias File = CatalogItem.File

    /// A file of the list.
    struct Entry: Hashable {
        let path: String
        let content: Character

        init(_ file: File) {
            path = file.path
            content = file.content
        }
    }

    /// The beginning of a file, and where it is from.
    struct Part {
        var length = 0
        let address: String
        let version: Int
        /// Whether the server sent something else.
        var isWrong = false
    }

    /// What is in its place, by path.
    var placed: [String: Character] = [:]
    /// The files of the catalog that are in the content.
    var list: Set<Entry> = []
    /// The whole files, checked and on the disk.
    var whole: Set<Character> = []
    var parts: [Character: Part] = [:]

    func has(_ files: [File]) -> Bool {
        guard !files.isEmpty else { return list.isEmpty && whole.isEmpty && parts.isEmpty }
        // Only the lengths are looked at.
        return list == Set(files.map(Entry.init))
            && files.allSatisfy { file in placed[file.path].map(File.length) == file.length }
    }

    /// Whether the content has these files of a catalog, with the right bytes, and perhaps others.
    func contains(_ files: [File]) -> Bool { files.allSatisfy { placed[$0.path] == $0.content } }

    /// The number of bytes of a file that can be continued.
    func kept(of file: File) -> Int {
        if whole.contains(file.content) { return file.length }
        guard let part = parts[file.content] else { return 0 }
        return part.length == file.length || part.address == file.url.absoluteString ? part.length : 0
    }

    func kept(of files: [File]) -> Int { files.reduce(0) { $0 + kept(of: $1) } }

    mutating func removeStrays(except files: [File]) {
        let needed = Set(files.map(\.content))
        whole.formIntersection(needed)
        parts = parts.filter { needed.contains($0.key) }
    }

    /// The list while files get their places: those that change are in it as they were.
    func list(before files: [File]) -> Set<Entry> {
        Set(files.map { file in list.first { $0.path == file.path } ?? Entry(file) })
    }

    mutating func removeOld(except files: [File]) {
        let paths = Set(files.map(\.path))
        for entry in list where !paths.contains(entry.path) { placed[entry.path] = nil }
    }
}

extension CatalogItem.File {
    /// What is in the file.
    var content: Character { sha256.first ?? " " }

    /// The length of what is in a file.
    static func length(of content: Character) -> Int {
        switch content {
        case "a", "c": 60_000
        case "b": 200_000
        case "d": 100
        default: 0
        }
    }

    /// A file in the form that a catalog has.
    static func json(_ path: String, _ content: Character, at folder: String = "") -> String {
        #"{"path":"\#(path)","url":"https://files.example/\#(folder)\#(content)","length":\#(length(of: content)),"#
            + #""sha256":"\#(String(repeating: content, count: 64))"}"#
    }
}
