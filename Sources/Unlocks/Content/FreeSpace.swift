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

/// The room on a disk.
enum FreeSpace {
    /// The number of bytes that can be written in a folder; `nil` if it isn't known.
    static func bytes(in folder: URL) -> Int? {
        #if canImport(Darwin)
        // This includes what the system removes if an app needs the room.
        let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
        return values?.volumeAvailableCapacityForImportantUsage.map { Int(clamping: $0) }
        #else
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
        )
        #endif
    }
}
