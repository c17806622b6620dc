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
        "ReferralBridge": ["clip.", "ledger."],
    ]
    private static let comparableNames = Dictionary(
        uniqueKeysWithValues: names.map { (FileNames.comparable($0), $1) }
    )
    private static let claims = Claims()

    /// Whether a path leads to a file of a library, on any file system and in any folder.
    package static func isReached(by path: String) -> Bool {
        let names = comparable(path)
        return zip(names, names.dropFirst()).contains { folder, name in
            comparableNames[folder]?.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 } == true
        }
    }

    /// Reserves a folder or a file, which may not exist yet, for as long as the process runs. The app may have given it any name.
    package static func claim(_ url: URL) {
        var (path, missing) = (url.path, "")
        while true {
            if let existing = realpath(path.isEmpty ? "/" : path, nil) {
                defer { free(existing) }
                return claims.insert(comparable(String(cString: existing) + missing))
            }
            guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return }
            (path, missing) = (String(path[..<slash]), path[slash...] + missing)
        }
    }

    /// Whether a path without symbolic links leads to a file of a library, to a reserved file or into a reserved folder.
    package static func isReserved(_ path: String) -> Bool {
        let names = comparable(path)
        return isReached(by: path) || names.indices.contains { claims.contains(Array(names[...$0])) }
    }

    private static func comparable(_ path: String) -> [String] { FileNames.names(in: path).map(FileNames.comparable) }
}

/// Paths, from any thread.
private final class Claims: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var paths: Set<[String]> = []

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func insert(_ path: [String]) { locked { _ = paths.insert(path) } }

    func contains(_ path: [String]) -> Bool { locked { paths.contains(path) } }

    private func locked<Result>(_ operation: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return operation()
    }
}
