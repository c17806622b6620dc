import DurableFiles

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
        let name = folder.appendingPathComponent("clip.new", isDirectory: false)
        // What an earlier try has left.
        unlink(name.path)
        let new = try OpenFile<ClipFileProblem>(name, O_WRONLY | O_CREAT | O_EXCL)
        try new.write(Array(data), at: 0)
        try new.flush()
        try new.rename(to: file)
        try OpenFile<ClipFileProblem>(folder: folder).flush()
    }

    /// What is in the folder.
    package enum Left {
        case nothing
        case tooLarge
        case file([UInt8])
    }

    /// Reads the file.
    package func read() throws -> Left {
        do {
            let file = try OpenFile<ClipFileProblem>(reading: file, followsLink: false)
            return try file.length() > Self.maximumFileLength ? .tooLarge : .file(file.contents())
        } catch {
            if error.isNotThere { return .nothing }
            throw error
        }
    }

    /// Removes the file.
    package func remove() { unlink(file.path) }
}

/// Why the file can't be read or written.
struct ClipFileProblem: FileFailure, CustomStringConvertible {
    private let problem: FileProblem

    init(_ problem: FileProblem, at url: URL) { self.problem = problem }

    var isNotThere: Bool { problem == .system(ENOENT) || problem == .system(ENOTDIR) }
    var description: String { problem.description }
}

/// Why an App Clip can't leave an address.
///
/// Later versions may add cases, so a `switch` over them needs a `default`.
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
