package import ReferralFoundation

/// The files that the libraries write for themselves. No file from outside may be one of them: a stranger's journal would open what
/// wasn't paid for.
package enum LibraryFiles {
    /// The files that the libraries write in the app's folders. The folders have the names that the documentation gives them. A
    /// name that ends with a point begins the names of several files.
    package static let names: [String: [String]] = [
        "Unlocks": ["journal", "journal.", "catalog-revision", "content", "pictures"],
        "Invitations": ["invites."],
        "ReferralBridge": ["clip.", "ledger.", "counts."],
    ]
    private static let comparableNames = Dictionary(
        uniqueKeysWithValues: names.map { (FileNames.comparable($0), $1) }
    )
    private static let claims = Reservations()

    /// Whether a path leads to a file of a library, on any file system and in any folder.
    package static func isReached(by path: String) -> Bool { isReached(by: comparable(path)) }

    private static func isReached(by names: [String]) -> Bool {
        zip(names, names.dropFirst()).contains { room, name in
            comparableNames[room].map { has($0, name) } ?? false
        }
    }

    /// Reserves a folder or a file, which may not exist yet, for as long as the process runs. The app may have given it any name.
    ///
    /// - Parameters:
    ///   - url: The folder or the file.
    ///   - room: The name that the documentation gives to the folder, in which the files of that name in ``names`` are reserved;
    ///     `nil` reserves all that is there.
    package static func claim(_ url: URL, as room: String? = nil) { claims.insert(url.path, as: room) }

    /// Whether a path without symbolic links leads to a file of a library, to a reserved file or into a reserved folder.
    package static func isReserved(_ path: String) -> Bool {
        let names = comparable(path)
        return isReached(by: names)
            || names.indices.contains { index in
                guard let claim = claims[Array(names[...index])] else { return false }
                // A file in the place of the folder would be in its way.
                guard let listed = claim.names, index + 1 < names.count else { return true }
                return has(listed, names[index + 1])
            }
    }

    private static func has(_ listed: [String], _ name: String) -> Bool {
        listed.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 }
    }

    fileprivate static func comparable(_ path: String) -> [String] {
        FileNames.names(in: path).map(FileNames.comparable)
    }
}

/// The reserved names, from any thread. The disk is used only once somebody asks, which isn't on the main actor.
private final class Reservations: @unchecked Sendable {
    /// The files that are reserved in a folder; `nil` is all.
    struct Claim {
        let names: [String]?
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// The places that were reserved, and those of them that weren't looked up yet.
    private var known: Set<Place> = []
    private var new: [Place] = []
    private var claims: [[String]: Claim] = [:]

    private struct Place: Hashable {
        let path: String
        let room: String?
    }

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func insert(_ path: String, as room: String?) {
        let place = Place(path: path, room: room)
        locked { if known.insert(place).inserted { new.append(place) } }
    }

    subscript(_ path: [String]) -> Claim? {
        locked {
            for place in new { add(place) }
            new = []
            return claims[path]
        }
    }

    /// Two libraries may share a folder.
    private func add(_ place: Place) {
        let path = LibraryFiles.comparable(Self.realPath(place.path))
        let (earlier, names) = (claims[path] ?? Claim(names: []), place.room.flatMap { LibraryFiles.names[$0] })
        claims[path] = Claim(names: names.flatMap { names in earlier.names.map { $0 + names } })
    }

    /// The path without symbolic links, even if nothing exists there yet.
    private static func realPath(_ path: String) -> String {
        var (path, missing) = (path, "")
        while true {
            if let existing = realpath(path.isEmpty ? "/" : path, nil) {
                defer { free(existing) }
                return String(cString: existing) + missing
            }
            guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return path + missing }
            (path, missing) = (String(path[..<slash]), path[slash...] + missing)
        }
    }

    private func locked<Result>(_ operation: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return operation()
    }
}
