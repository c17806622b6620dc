public import ReferralFoundation

/// The address form of 2009, whose query is one file in web-safe base64.
///
/// ```swift
/// let old = OldAddress("myapp://localhost/importDatabase")
/// let database = try old.file(in: url.absoluteString)
/// ```
///
/// It has no manifest, so only the contents of the file are known.
public struct OldAddress: Sendable, Equatable {
    /// The address without its query, such as `myapp://localhost/importDatabase`.
    public let address: String

    /// Creates the form for an app's address.
    public init(_ address: String) {
        self.address = address
    }

    /// The file in an address, with padding or without.
    ///
    /// - Throws: ``HandoffError/notALink``, ``HandoffError/linkTooLong``, ``HandoffError/missingPayload`` or
    ///   ``HandoffError/malformedPayload``.
    public func file(in address: String) throws(HandoffError) -> Data {
        guard let file = try fileIfItsOwn(in: address) else { throw .notALink }
        return file
    }

    /// The file in an address; `nil` if the address doesn't have this form.
    func fileIfItsOwn(in address: String) throws(HandoffError) -> Data? {
        let (parts, own) = (WebAddress(address), WebAddress(self.address))
        guard parts.scheme?.lowercased() == own.scheme?.lowercased(), let location = parts.location,
            location.utf8.elementsEqual((own.location ?? "").utf8)
        else { return nil }
        guard address.utf8.count <= HandoffLink.maximumLength else { throw .linkTooLong }
        guard let query = parts.query?.utf8, !query.isEmpty else { throw .missingPayload }
        let digits = Substring(query).prefix { $0 != "=" }.utf8
        let padding = query.count - digits.count
        let isPadded = query.count.isMultiple(of: 4) && padding <= 2
        guard padding == 0 || isPadded && query.suffix(padding).allSatisfy({ $0 == ASCII.equals }) else {
            throw .malformedPayload
        }
        guard let file = Base64.decode(digits, .url) else { throw .malformedPayload }
        return Data(file)
    }

    /// The address with a file, padded, as old apps expect it.
    ///
    /// - Throws: ``HandoffError/linkTooLong``.
    public func address(with file: Data) throws(HandoffError) -> String {
        let digits = Base64.encode(file, .url)
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        let address = "\(address)?\(digits)\(padding)"
        guard address.utf8.count <= HandoffLink.maximumLength else { throw .linkTooLong }
        return address
    }
}
