import DataHandoff
import ReferralFoundation

extension HandoffPackage {
    /// Writes the files into a new or empty folder, all of them or none.
    ///
    /// - Throws: ``HandoffError``; ``HandoffError/fileExists(_:)`` if the folder isn't empty: a package could bring a file that a
    ///   program there reads, such as `.profile`.
    func extract(into folder: URL) throws(HandoffError) {
        if let name = try FileSystem.names(in: folder).first { throw .fileExists(name) }
        var (files, folders): ([URL], [URL]) = ([], [])
        do throws(HandoffError) {
            for (name, content) in zip(manifest.files.map(\.name), contents) {
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
