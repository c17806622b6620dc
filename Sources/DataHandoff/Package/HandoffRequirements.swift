/// A receiver's requirements for packages.
package struct HandoffRequirements: Sendable, Equatable {
    /// The receiver's bundle identifier; `nil` accepts packages for any app.
    package var receiver: String?

    /// The sender's bundle identifier; `nil` accepts packages from any app.
    package var sender: String?

    /// The versions of the data that the receiver accepts.
    package var schemas: ClosedRange<Int>

    /// The largest total size of the files, in bytes; 64 MiB by default.
    package var maximumSize: Int

    /// The largest number of files; 10,000 by default.
    package var maximumFileCount: Int

    package static let defaultFileCount = 10_000

    /// Creates requirements. The defaults accept packages for any app, from any app, and with any version of the data.
    package init(
        receiver: String? = nil,
        sender: String? = nil,
        schemas: ClosedRange<Int> = 0...Int.max,
        maximumSize: Int = HandoffReceiver.defaultMaximumSize,
        maximumFileCount: Int = HandoffRequirements.defaultFileCount
    ) {
        self.receiver = receiver
        self.sender = sender
        self.schemas = schemas
        self.maximumSize = maximumSize
        self.maximumFileCount = maximumFileCount
    }

    /// Checks a manifest, rule by rule: each rule for the whole manifest before the next one.
    func check(_ manifest: HandoffManifest) throws(HandoffError) {
        // Compared by bytes: Swift considers some different characters equal.
        if let receiver, !receiver.utf8.elementsEqual(manifest.receiver.utf8) {
            throw .wrongReceiver(manifest.receiver)
        }
        if let sender, !sender.utf8.elementsEqual(manifest.sender.utf8) { throw .wrongSender(manifest.sender) }
        guard manifest.schema <= schemas.upperBound else { throw .newerSchema(manifest.schema) }
        guard manifest.schema >= schemas.lowerBound else { throw .unsupportedSchema(manifest.schema) }
        try FileNames.check(manifest.files.map(\.name), isPackage: true)
        guard manifest.files.count <= maximumFileCount else { throw .tooManyFiles }
        guard let total = manifest.totalLength, total <= maximumSize else { throw .tooLarge }
        for file in manifest.files where file.isDefaults {
            guard file.length <= HandoffDefaults.maximumSize else { throw .invalidDefaults }
        }
    }
}
