package import ReferralFoundation

/// Data that travels from one app to another: a manifest, and the contents of its files.
///
/// In a link or a file, a package is a sequence of bytes. In an app group's folder it is a folder: see
/// ``HandoffFolder``.
package struct HandoffPackage: Sendable, Equatable {
    /// The encoding of the contents.
    package enum Codec: UInt8, Sendable, Hashable {
        /// Not compressed.
        case stored = 0
        /// One stream of raw DEFLATE (RFC 1951). It requires the `Compression` framework.
        case deflate = 1

        /// The encoding with the smallest result on this system.
        package static var best: Codec { Deflate.isAvailable ? .deflate : .stored }
    }

    /// The extension of a package's file name.
    package static let fileExtension = "handoff"

    /// The manifest.
    package let manifest: HandoffManifest

    /// The contents of the manifest's files, in their order.
    package let contents: [Data]

    /// Creates a package with files.
    ///
    /// - Parameters:
    ///   - files: The files' names and contents.
    ///   - schema: The app's own version number of the data.
    ///   - sender: The bundle identifier of the sending app.
    ///   - receiver: The bundle identifier of the receiving app.
    ///   - created: The time of the data, in whole milliseconds.
    ///   - transfer: The transfer's identifier, a new one by default.
    /// - Throws: ``HandoffError/invalidName(_:)``, ``HandoffError/unsupportedSchema(_:)`` for a negative version,
    ///   ``HandoffError/listTooLong`` if the manifest doesn't fit into 64 KiB, or ``HandoffError/invalidManifest`` if
    ///   an identifier is empty or the time is before 1970.
    package init(
        files: [(name: String, contents: Data)],
        schema: Int,
        from sender: String,
        to receiver: String,
        created: Timestamp = .now,
        transfer: UUID = UUID()
    ) throws(HandoffError) {
        contents = files.map(\.contents)
        manifest = try HandoffManifest(
            transfer: transfer,
            created: created,
            from: sender,
            to: receiver,
            schema: schema,
            files: files.map { HandoffManifest.File($0.name, $0.contents) }
        )
    }
}

extension HandoffPackage {
    /// The longest manifest of a package as bytes: 64 KiB.
    package static let maximumManifestLength = 64 << 10

    fileprivate static let magic = Data("RBH1".utf8)

    /// The length of the unsealed header: the magic, the codec and whether the package is sealed.
    static let headerLength = magic.count + 2

    /// The length of the number before the manifest, which is the manifest's length.
    fileprivate static let prefixLength = 4

    /// Whether a package is sealed; `nil` if the bytes aren't a package.
    static func isSealed(_ bytes: Data) -> Bool? {
        let header = bytes.prefix(headerLength)
        guard header.count == headerLength, header.starts(with: magic), let seal = header.last, seal <= 1 else {
            return nil
        }
        return seal == 1
    }

    // MARK: Writing

    /// Seals or opens the part of a package after its header.
    package typealias Transform = (_ body: Data, _ header: Data) throws(HandoffError) -> Data

    /// Writes the package.
    ///
    /// - Parameters:
    ///   - codec: The encoding of the contents.
    ///   - seal: Seals the package; by default it isn't sealed.
    /// - Returns: The package as bytes.
    /// - Throws: ``HandoffError/codecUnavailable``, or the error of `seal`.
    package func bytes(codec: Codec = .stored, seal: Transform? = nil) throws(HandoffError) -> Data {
        let json = Data(manifest.json.utf8)
        // A pattern, since comparing a function with typed throws to `nil` needs iOS 18.
        let isSealed: UInt8 = if case .some = seal { 1 } else { 0 }
        let header = Self.magic + Data([codec.rawValue, isSealed])
        var body = Data(stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: json.count >> $0) }) + json
        switch codec {
        case .stored: for content in contents { body += content }
        case .deflate: body += try Deflate.compressed(contents)
        }
        return try header + (seal?(body, header) ?? body)
    }

    // MARK: Reading

    /// Reads and checks a package.
    ///
    /// - Parameters:
    ///   - bytes: The package as bytes.
    ///   - requirements: The receiver's requirements.
    ///   - open: Opens a sealed package; by default one is an error.
    /// - Throws: The first ``HandoffError`` in the order of its cases.
    package init(
        bytes: Data,
        for requirements: HandoffRequirements = HandoffRequirements(),
        open: Transform? = nil
    ) throws(HandoffError) {
        let header = bytes.prefix(Self.headerLength)
        var body = bytes.dropFirst(Self.headerLength)
        guard let isSealed = Self.isSealed(bytes),
            let codec = Codec(rawValue: header[header.startIndex + Self.magic.count])
        else { throw .notAPackage }
        if isSealed {
            guard let open else { throw .sealed }
            body = try open(body, header)
        }
        let prefix = body.prefix(Self.prefixLength)
        guard prefix.count == Self.prefixLength else { throw .notAPackage }
        let length = prefix.reduce(0) { $0 << 8 | Int($1) }
        let json = body.dropFirst(prefix.count).prefix(length)
        guard length <= Self.maximumManifestLength, json.count == length else { throw .invalidManifest }
        manifest = try HandoffManifest(json: json)
        try requirements.check(manifest)
        body = body.dropFirst(prefix.count + length)
        // The requirements have checked that the sum is small.
        let total = manifest.totalLength ?? 0
        var rest = codec == .stored ? body : try Deflate.inflated(body, length: total)
        guard rest.count >= total else { throw .truncated }
        guard rest.count == total else { throw .trailingBytes }
        var contents: [Data] = []
        for file in manifest.files {
            let content = rest.prefix(file.length)
            guard SHA256.digest(content).hexadecimal == file.sha256 else { throw .corrupt }
            contents.append(content)
            rest = rest.dropFirst(file.length)
        }
        self.contents = contents
    }
}
