#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The files that the libraries write for themselves. No file from outside may be one of them: a stranger's journal would open what
/// wasn't paid for.
package enum LibraryFiles {
    /// What the libraries write in folders of the app, by the name that the documentation gives to each folder. A name that ends
    /// with a point begins the names of several files.
    package static let names: [String: [String]] = [
        "Unlocks": ["journal", "journal.", "catalog-revision", "catalog-revision.", "content", "pictures"],
        "Invitations": ["invites."],
        "ReferralBridge": ["clip."],
    ]
    private static let comparableNames = Dictionary(
        uniqueKeysWithValues: names.map { (FileNames.comparable($0), $1) }
    )
    private static let claims = Claims()

    /// Whether a path leads to a file of a library, on any file system and in any folder.
    package static func isReached(by path: String) -> Bool {
        let components = FileNames.names(in: path).map(FileNames.comparable)
        return zip(components, components.dropFirst()).contains { folder, name in
            comparableNames[folder]?.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 } == true
        }
    }

    /// Reserves a folder, which exists, for as long as the process runs. The app may have given it any name.
    package static func claim(_ folder: URL) {
        guard let path = realpath(folder.path, nil) else { return }
        defer { free(path) }
        claims.insert(FileNames.folded(String(cString: path)))
    }

    /// Whether a path without symbolic links leads into a reserved folder.
    package static func isClaimed(_ path: String) -> Bool {
        let path = FileNames.folded(path)
        return (FileNames.folders(of: path) + [path]).contains(where: claims.contains)
    }
}

/// Folders, from any thread.
private final class Claims: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var folders: Set<String> = []

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func insert(_ folder: String) { locked { _ = folders.insert(folder) } }

    func contains(_ folder: String) -> Bool { locked { folders.contains(folder) } }

    private func locked<Result>(_ operation: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return operation()
    }
}
