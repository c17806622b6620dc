import DataHandoff
import DurableFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HandoffPackage {
    /// Writes the files into a folder, all of them or none, and never replaces an existing file.
    ///
    /// - Throws: ``HandoffError``.
    func extract(into folder: URL) throws(HandoffError) {
        let names = manifest.files.map(\.name)
        for name in names where try FileSystem.kind(of: folder.appending(name)) != nil { throw .fileExists(name) }
        for name in names.flatMap(FileNames.folders) {
            // A symbolic link would lead out of the folder.
            switch try FileSystem.kind(of: folder.appending(name)) {
            case nil, .folder: break
            default: throw .fileExists(name)
            }
        }
        var (files, folders): ([URL], [URL]) = ([], [])
        do throws(HandoffError) {
            for (name, content) in zip(names, contents) {
                let file = folder.appending(name)
                folders += try FileSystem.makeFolder(file.deletingLastPathComponent())
                try FileSystem.write(content, to: file)
                files.append(file)
            }
        } catch {
            for file in files { try? FileSystem.remove(file) }
            for folder in folders.reversed() { FileSystem.removeIfEmpty(folder) }
            throw error
        }
    }
}
