import ReferralFoundation

/// The room on a disk.
enum FreeSpace {
    /// The number of bytes that can be written in a folder; `nil` if it isn't known, as on systems other than Apple's.
    static func bytes(in folder: URL) -> Int? {
        #if canImport(Darwin)
        // This includes files that the system removes if an app needs the room.
        let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
        return bytes(forImportantUsage: values?.volumeAvailableCapacityForImportantUsage)
        #else
        return nil
        #endif
    }

    /// On a volume that isn't APFS, and before a user has logged in, a Mac says 0
    /// ([report](https://github.com/ninxsoft/mist-cli/issues/129)). If the disk really is full, writing fails.
    static func bytes(forImportantUsage capacity: Int64?) -> Int? {
        capacity.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    }
}
