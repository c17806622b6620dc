import Hashing
public import ReferralBridge

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a package holds, where it comes from, and whom it is for.
public struct HandoffManifest: Sendable, Equatable {
    /// A file of the package.
    public struct File: Sendable, Equatable {
        /// A relative path, such as `boards/1.json`.
        public let name: String

        /// The number of bytes.
        public let length: Int

        /// The SHA-256 of the contents, 64 hexadecimal digits in lower case.
        public let sha256: String

        package init(name: String, length: Int, sha256: String) {
            (self.name, self.length, self.sha256) = (name, length, sha256)
        }
    }

    /// The largest number in a manifest, which a JavaScript number holds exactly.
    static let maximumNumber = 1 << 53 - 1

    /// The transfer's identifier, a UUID in lower case.
    public let transfer: String

    /// When the package was made.
    public let created: Timestamp

    /// The bundle identifier of the app that sends.
    public let sender: String

    /// The bundle identifier of the app that receives.
    public let receiver: String

    /// The version of the data, as the app counts it.
    public let schema: Int

    /// The files, in the order of their contents.
    public let files: [File]

    /// The SHA-256 of the manifest as it was written, 64 hexadecimal digits in lower case.
    public private(set) var digest = ""

    /// The sizes of all files together; `nil` if the sum is too large for any file system.
    public var totalLength: Int? {
        var total = 0
        for file in files {
            let (sum, overflow) = total.addingReportingOverflow(file.length)
            if overflow { return nil }
            total = sum
        }
        return total
    }
}

// MARK: - Writing

extension HandoffManifest {
    /// Creates a manifest that can be read back.
    ///
    /// - Throws: ``HandoffError/invalidName(_:)``, ``HandoffError/unsupportedSchema(_:)``, or
    ///   ``HandoffError/invalidManifest`` for an empty identifier and a time that can't be written, or
    ///   ``HandoffError/listTooLong``.
    package init(
        transfer: UUID,
        created: Timestamp,
        from sender: String,
        to receiver: String,
        schema: Int,
        files: [File],
        maximumLength: Int = HandoffPackage.maximumManifestLength
    ) throws(HandoffError) {
        try FileNames.check(files.map(\.name))
        guard 0...Self.maximumNumber ~= schema else { throw .unsupportedSchema(schema) }
        let milliseconds = created.milliseconds.rounded(.down)
        guard 0...Double(Self.maximumNumber) ~= milliseconds, !sender.isEmpty, !receiver.isEmpty else {
            throw .invalidManifest
        }
        (self.sender, self.receiver, self.schema, self.files) = (sender, receiver, schema, files)
        (self.transfer, self.created) = (transfer.uuidString.lowercased(), Timestamp(milliseconds: milliseconds))
        let json = json
        guard json.utf8.count <= maximumLength else { throw .listTooLong }
        digest = SHA256.digest(json.utf8).hexadecimal
    }

    /// The exact JSON: these members in this order, without white space.
    package var json: String {
        let files = files.map { file in
            #"{"name":\#(Referral.quoted(file.name)),"length":\#(file.length),"sha256":"\#(file.sha256)"}"#
        }
        return #"{"transfer":"\#(transfer)","created":\#(Int(created.milliseconds)),"#
            + #""from":\#(Referral.quoted(sender)),"to":\#(Referral.quoted(receiver)),"#
            + #""schema":\#(schema),"files":[\#(files.joined(separator: ","))]}"#
    }
}

// MARK: - Reading

extension HandoffManifest {
    /// Reads a manifest. The members may be in any order, and others are ignored; of a repeated member the last one counts.
    ///
    /// - Throws: ``HandoffError/invalidManifest``.
    package init(json: some Collection<UInt8>) throws(HandoffError) {
        let read = Array(json).withUnsafeBufferPointer { bytes in
            Result<Self, HandoffError> { () throws(HandoffError) in try Self(json: bytes) }
        }
        self = try read.get()
    }

    private init(json bytes: UnsafeBufferPointer<UInt8>) throws(HandoffError) {
        guard String(bytes: bytes, encoding: .utf8) != nil else { throw .invalidManifest }
        let members: Members
        do { members = try Members(bytes) } catch { throw .invalidManifest }
        guard let transfer = members.strings["transfer"], Self.isTransfer(transfer),
            let created = members.numbers["created"], let schema = members.numbers["schema"],
            let sender = members.strings["from"], !sender.isEmpty,
            let receiver = members.strings["to"], !receiver.isEmpty,
            let list = members.arrays["files"]
        else { throw .invalidManifest }
        var files: [File] = []
        do {
            var reader = JSONReader(UnsafeBufferPointer(rebasing: bytes[list]))
            try reader.readArray { value throws(ReferralError) in
                guard case .other(let range) = value else { throw .invalidJSON }
                let start = list.lowerBound
                let object = bytes[start + range.lowerBound..<start + range.upperBound]
                let members = try Members(UnsafeBufferPointer(rebasing: object))
                guard let name = members.strings["name"], let length = members.numbers["length"],
                    let sha256 = members.strings["sha256"], Self.isDigest(sha256)
                else { throw .invalidJSON }
                files.append(File(name: name, length: length, sha256: sha256))
            }
        } catch {
            throw .invalidManifest
        }
        (self.transfer, self.created) = (transfer, Timestamp(milliseconds: Double(created)))
        (self.sender, self.receiver, self.schema, self.files) = (sender, receiver, schema, files)
        digest = SHA256.digest(bytes).hexadecimal
    }

    /// Whether a text is 64 hexadecimal digits in lower case.
    static func isDigest(_ text: String) -> Bool { text.utf8.count == 64 && text.utf8.allSatisfy(isHexadecimal) }

    /// Whether a text is a UUID in lower case.
    static func isTransfer(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: ASCII.dash, omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}

/// The members of a JSON object, by their kinds. A repeated member is only in the last one's.
private struct Members {
    var strings: [String: String] = [:]
    var numbers: [String: Int] = [:]
    var arrays: [String: Range<Int>] = [:]

    init(_ object: UnsafeBufferPointer<UInt8>) throws(ReferralError) {
        var reader = JSONReader(object)
        try reader.readObject { name, value, reader throws(ReferralError) in
            let name = reader.content(of: name)
            (strings[name], numbers[name], arrays[name]) = (nil, nil, nil)
            switch value {
            case .string(let text): strings[name] = reader.content(of: text)
            case .number(let range):
                let number = Int(exactly: reader.number(in: range))
                numbers[name] = number.flatMap { 0...HandoffManifest.maximumNumber ~= $0 ? $0 : nil }
            case .other(let range): arrays[name] = range
            }
        }
    }
}
