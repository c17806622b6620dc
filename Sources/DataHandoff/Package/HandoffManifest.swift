package import ReferralFoundation

/// The list of a package's files, with its sender and its receiver.
public struct HandoffManifest: Sendable, Equatable {
    /// A file of the package.
    public struct File: Codable, Sendable, Equatable {
        /// A relative path, such as `boards/1.json`.
        public let name: String

        /// The number of bytes.
        public let length: Int

        /// The SHA-256 of the contents, 64 hexadecimal digits in lower case.
        public let sha256: String

        /// Whether this is the property list with the user defaults, and not a file of the app.
        public var isDefaults: Bool { name.utf8.elementsEqual(HandoffDefaults.fileName.utf8) }

        package init(name: String, length: Int, sha256: String) {
            self.name = name
            self.length = length
            self.sha256 = sha256
        }

        init(_ name: String, _ contents: Data) {
            self.init(name: name, length: contents.count, sha256: SHA256.digest(contents).hexadecimal)
        }

        fileprivate var json: String {
            JSONWriter.object([
                ("name", JSONWriter.string(name)), ("length", String(length)), ("sha256", JSONWriter.string(sha256)),
            ])
        }
    }

    /// The largest number in a manifest, and the largest that a JavaScript number represents exactly.
    static let maximumNumber = 1 << 53 - 1

    /// The transfer's identifier, a UUID in lower case.
    public let transfer: String

    /// The creation date of the package.
    public let created: Timestamp

    /// The bundle identifier of the sending app.
    public let sender: String

    /// The bundle identifier of the receiving app.
    public let receiver: String

    /// The app's own version number of the data.
    public let schema: Int

    /// The files, in the order of their contents. The user defaults are one of them.
    public let files: [File]

    /// The SHA-256 of the manifest as it was written, 64 hexadecimal digits in lower case.
    public private(set) var digest = ""

    /// Whether another package is an older one from the same app for the same app. A package has all that is sent, so nobody needs the
    /// older one.
    func supersedes(_ other: HandoffManifest) -> Bool {
        other.created < created && other.sender.utf8.elementsEqual(sender.utf8)
            && other.receiver.utf8.elementsEqual(receiver.utf8)
    }

    /// The total size of all files; `nil` if it is too large for any file system.
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
        try FileNames.check(files.map(\.name), isPackage: true)
        guard 0...Self.maximumNumber ~= schema else { throw .unsupportedSchema(schema) }
        let milliseconds = created.milliseconds.rounded(.down)
        guard 0...Double(Self.maximumNumber) ~= milliseconds, !sender.isEmpty, !receiver.isEmpty else {
            throw .invalidManifest
        }
        self.sender = sender
        self.receiver = receiver
        self.schema = schema
        self.files = files
        self.transfer = transfer.uuidString.lowercased()
        self.created = Timestamp(milliseconds: milliseconds)
        let json = json
        guard json.utf8.count <= maximumLength else { throw .listTooLong }
        digest = SHA256.digest(json.utf8).hexadecimal
    }

    /// The exact JSON: these members in this order, without white space.
    package var json: String {
        JSONWriter.object([
            ("transfer", JSONWriter.string(transfer)), ("created", String(Int(created.milliseconds))),
            ("from", JSONWriter.string(sender)), ("to", JSONWriter.string(receiver)), ("schema", String(schema)),
            ("files", JSONWriter.array(files.map(\.json))),
        ])
    }
}

// MARK: - Reading

extension HandoffManifest {
    /// Reads a manifest. The members may be in any order, and unknown members are ignored. If a member is repeated, the
    /// last one counts.
    ///
    /// - Throws: ``HandoffError/invalidManifest``.
    package init(json: some Collection<UInt8>) throws(HandoffError) {
        self = try Array(json).withUnsafeBufferPointer { bytes throws(HandoffError) in try Self(json: bytes) }
    }

    private init(json bytes: Bytes) throws(HandoffError) {
        guard bytes.isUTF8, let object = try? JSONValue(object: bytes),
            let members = try? Self.members(of: object, named: Self.memberNames),
            let transfer = members["transfer"]?.string, Self.isTransfer(transfer),
            let created = members["created"]?.manifestNumber, let schema = members["schema"]?.manifestNumber,
            let sender = members["from"]?.string, !sender.isEmpty,
            let receiver = members["to"]?.string, !receiver.isEmpty,
            let list = members["files"]?.array
        else { throw .invalidManifest }
        var files: [File] = []
        for object in list {
            guard let members = try? Self.members(of: object, named: Self.fileMemberNames),
                let name = members["name"]?.string,
                let length = members["length"]?.manifestNumber,
                let sha256 = members["sha256"]?.string, Self.isDigest(sha256)
            else { throw .invalidManifest }
            files.append(File(name: name, length: length, sha256: sha256))
        }
        self.transfer = transfer
        self.created = Timestamp(milliseconds: Double(created))
        self.sender = sender
        self.receiver = receiver
        self.schema = schema
        self.files = files
        digest = SHA256.digest(bytes).hexadecimal
    }

    private static let memberNames = ["transfer", "created", "from", "to", "schema", "files"]
    private static let fileMemberNames = ["name", "length", "sha256"]

    /// The members of an object that have these names. Of a repeated member the last one counts.
    private static func members(
        of object: JSONValue,
        named names: [String]
    ) throws(JSONError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try object.readObject { name, value in
            // Compared by bytes: comparing or hashing a stranger's text may take hours, since Swift sorts its marks.
            let bytes = name.content.utf8
            if let known = names.first(where: { $0.utf8.elementsEqual(bytes) }) { members[known] = value }
        }
        return members
    }

    /// The number of hexadecimal digits in a digest.
    static let digestLength = 64

    /// Whether a text is a digest in lower case.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == digestLength && text.utf8.allSatisfy(isHexadecimal)
    }

    /// Whether a text is a UUID in lower case.
    static func isTransfer(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: ASCII.dash, omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}

private extension JSONValue {
    var manifestNumber: Int? { wholeNumber(in: 0...HandoffManifest.maximumNumber) }
}
