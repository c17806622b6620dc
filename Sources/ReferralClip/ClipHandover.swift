// What an App Clip leaves for the app that replaces it: one file in the folder of an app group. The app's side is
// Launch+Clip, which says how long it counts.

public import Foundation

/// Carries the address that opened an App Clip into the app that replaces it.
///
/// The clip leaves the address in a folder of the app group, and the app finds it there at its first launch. Nobody is asked
/// anything.
///
/// ```swift
/// // In the App Clip
/// try ClipHandover(group: groupFolder).leave(address)
///
/// // In the app
/// bridge.clipHandover = ClipHandover(group: groupFolder)
/// ```
public struct ClipHandover: Sendable, Hashable {
    /// The longest address that is accepted, in bytes of UTF-8.
    public static let maximumAddressLength = 65_536

    /// The largest file that is read, in bytes.
    package static let maximumFileLength = 262_144

    /// The file with the newest address.
    package let file: URL

    /// Creates a handover in the folder of an app group.
    ///
    /// - Parameter group: The folder of the app group that the clip and the app share, from
    ///   `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`.
    public init(group: URL) {
        file = group.appendingPathComponent("ReferralBridge", isDirectory: true)
            .appendingPathComponent("clip.json", isDirectory: false)
    }

    /// Leaves an address for the app. It replaces an older one.
    ///
    /// - Parameters:
    ///   - address: The address that opened the clip, as `onContinueUserActivity(_:perform:)` passes it.
    ///   - opened: The moment when it did.
    /// - Throws: ``ClipHandoverError``, or the system's error if the file can't be written.
    public func leave(_ address: URL, opened: Date = Date()) throws {
        guard address.absoluteString.utf8.count <= Self.maximumAddressLength else {
            throw ClipHandoverError.addressTooLong
        }
        let milliseconds = (opened.timeIntervalSince1970 * 1_000).rounded(.down)
        guard 1e11..<1e16 ~= milliseconds else { throw ClipHandoverError.invalidTime }
        let contents = Contents(format: 1, address: address.absoluteString, opened: Int64(milliseconds))
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Foundation writes a new file, flushes it, and gives it the name.
        try JSONEncoder().encode(contents).write(to: file, options: .atomic)
    }

    private struct Contents: Encodable {
        let format: Int
        let address: String
        let opened: Int64
    }

    /// Reads the file, but no more of it than a byte above the limit; `nil` if there is none. It may be anything: a link isn't
    /// followed, and nothing is waited for.
    package func read() throws -> [UInt8]? {
        do {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                throw CocoaError(.fileReadUnknown)
            }
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return [UInt8](try handle.read(upToCount: Self.maximumFileLength + 1) ?? Data())
    }

    /// Removes the file. Only the app removes it. It has replaced the clip, so no call needs its file anymore.
    package func remove() { try? FileManager.default.removeItem(at: file) }
}

/// Where an App Clip leaves something: the folder of an app group, or that of a simulated device.
package protocol ClipStorage: Sendable {
    func read() async throws -> [UInt8]?
    func remove() async
}

extension ClipHandover: ClipStorage {}

/// Why an App Clip can't leave an address.
public enum ClipHandoverError: String, Error, CustomStringConvertible {
    /// The address is longer than 65,536 bytes of UTF-8.
    case addressTooLong = "The address is longer than 65,536 bytes."

    /// The moment isn't between 1973 and the year 318,857.
    case invalidTime = "The moment when the address opened the App Clip is not a valid time."

    /// A sentence suitable for a log.
    public var description: String { rawValue }
}
