// What an App Clip leaves for the app that replaces it: one file in the folder of an app group. The app's side is
// Launch+Clip, which says how long it counts.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
    /// - Throws: ``ClipHandoverError``.
    public func leave(_ address: URL, opened: Date = Date()) throws(ClipHandoverError) {
        guard address.absoluteString.utf8.count <= Self.maximumAddressLength else { throw .addressTooLong }
        let milliseconds = (opened.timeIntervalSince1970 * 1_000).rounded(.down)
        guard 1e11..<1e16 ~= milliseconds else { throw .invalidTime }
        let contents = Contents(format: 1, address: address.absoluteString, opened: Int64(milliseconds))
        do { try replaceFile(with: JSONEncoder().encode(contents)) } catch { throw .notWritten(error) }
    }

    private struct Contents: Encodable {
        let format: Int
        let address: String
        let opened: Int64
    }

    /// Writes a new file, flushes it, and gives it the name, so that a crash leaves the old file or the new one.
    private func replaceFile(with data: Data) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Another call may write at the same time.
        let new = folder.appendingPathComponent("clip.\(UUID().uuidString).new", isDirectory: false)
        do {
            try Self.withFile(new, O_WRONLY | O_CREAT | O_EXCL) { descriptor in
                var rest = Array(data)[...]
                while !rest.isEmpty {
                    let count = try Self.checked {
                        rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                    }
                    rest = rest.dropFirst(count)
                }
                try Self.flush(descriptor)
            }
            _ = try Self.checked { Int(rename(new.path, file.path)) }
        } catch {
            unlink(new.path)
            throw error
        }
        try Self.withFile(folder, O_RDONLY | O_DIRECTORY) { try Self.flush($0) }
    }

    /// Reads the file. It may be anything: a link isn't followed, and nothing is waited for.
    package func read() throws -> ClipContents {
        do {
            return try Self.withFile(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { descriptor in
                var bytes: [UInt8] = []
                var part = [UInt8](repeating: 0, count: 16_384)
                while bytes.count <= Self.maximumFileLength {
                    let count = try Self.checked {
                        part.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
                    }
                    if count == 0 { return .file(bytes) }
                    bytes += part.prefix(count)
                }
                return .tooLarge
            }
        } catch let error as ClipFileError where error.code == ENOENT || error.code == ENOTDIR {
            return .nothing
        }
    }

    /// Removes the file, and what interrupted calls have left. Only the app removes it. It has replaced the clip, so no call
    /// needs its file anymore.
    package func remove() {
        unlink(file.path)
        let folder = file.deletingLastPathComponent().path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix("clip.") && name.hasSuffix(".new") {
            unlink(folder + "/" + name)
        }
    }

    // MARK: System calls

    private static func withFile<Value>(_ url: URL, _ flags: Int32, _ use: (Int32) throws -> Value) throws -> Value {
        let descriptor = Int32(try checked { Int(open(url.path, flags | O_CLOEXEC, 0o600)) })
        defer { close(descriptor) }
        return try use(descriptor)
    }

    private static func flush(_ descriptor: Int32) throws {
        #if canImport(Darwin)
        // `fsync` leaves the data in the drive's own memory.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        _ = try checked { Int(fsync(descriptor)) }
    }

    /// Makes a system call again as long as a signal interrupts it.
    private static func checked(_ call: () -> Int) throws -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw ClipFileError(code: errno) }
        }
    }
}

/// What an App Clip has left.
package enum ClipContents: Sendable, Equatable {
    case nothing
    case tooLarge
    case file([UInt8])
}

/// Where an App Clip leaves something: the folder of an app group, or that of a simulated device.
package protocol ClipStorage: Sendable {
    func read() async throws -> ClipContents
    func remove() async
}

extension ClipHandover: ClipStorage {}

/// An error of the system, a value of `errno`.
struct ClipFileError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}

// Inside the type, the name is its method.
private let systemRead = read

/// Why an App Clip can't leave an address.
public enum ClipHandoverError: Error {
    /// The address is longer than 65,536 bytes of UTF-8.
    case addressTooLong

    /// The moment isn't between 1973 and the year 318,857.
    case invalidTime

    /// The file couldn't be written: the system's error.
    case notWritten(any Error)
}

extension ClipHandoverError: CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String {
        switch self {
        case .addressTooLong: "The address is longer than 65,536 bytes."
        case .invalidTime: "The moment when the address opened the App Clip is not a valid time."
        case .notWritten(let error): "The address could not be written: \(error)."
        }
    }
}
