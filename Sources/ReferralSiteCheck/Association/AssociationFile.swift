/// An `apple-app-site-association` file: which addresses of a site open which app.
package struct AssociationFile {
    /// An app id, such as `ABCDE12345.com.example.app`, with its offset in the file.
    typealias App = (id: String, offset: Int)

    /// An entry of `details`: the apps, and the components or the older `paths`, which don't count beside components.
    typealias Entry = (apps: [App], components: [AssociationComponent])

    /// Why a file can't be read.
    package struct Failure: Error {
        package let offset: Int
        package let message: Sentence
    }

    /// The entries of `applinks`. If `details` is an object, each has the index 0.
    private(set) var entries: [Entry] = []
    private var hasIndexes = true

    /// The apps of `appclips`, and the offset of that member.
    private(set) var clips: (apps: [App], offset: Int)?

    private(set) var variables: [String: [String]] = [:]

    /// The apps of `applinks`.
    var apps: [App] { entries.flatMap(\.apps) }

    /// The apps of `applinks` and `appclips`.
    var allApps: [App] { apps + (clips?.apps ?? []) }

    /// Reads a file.
    package init(_ bytes: [UInt8]) throws(Failure) {
        if let other = Self.otherKind(of: bytes) { throw other }
        self = try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            var reader = JSONReader(bytes)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch {
                let message: Sentence =
                    error == .nestedTooDeeply
                    ? "this is nested more than 64 levels deep"
                    : "this is not JSON, so no address opens the app; correct it here, or before"
                throw Failure(offset: min(reader.position, bytes.count), message: message)
            }
            return AssociationFile(members: (try? JSONValue(object: bytes))?.members ?? [:])
        }
    }

    private init(members: [String: JSONValue]) {
        if let clips = members["appclips"] {
            self.clips = (Self.apps(clips.members?["apps"]?.array ?? []), clips.range.lowerBound)
        }
        guard let links = members["applinks"]?.members else { return }
        variables = (links["substitutionVariables"]?.members ?? [:])
            .mapValues { $0.array?.compactMap(\.safeString) ?? [] }
        let defaults = links["defaults"]?.members ?? [:]
        if let details = links["details"]?.array {
            entries = details.map { Self.entry($0, defaults) }
        } else if let details = links["details"]?.members {
            // The oldest form has app ids as names.
            hasIndexes = false
            entries = details.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
                .map { id, value in
                    let entry = Self.entry(value, defaults)
                    return ([(id, value.range.lowerBound)] + entry.apps, entry.components)
                }
        }
    }

    private static func apps(_ values: [JSONValue]) -> [App] {
        values.compactMap { value in value.safeString.map { ($0, value.range.lowerBound) } }
    }

    private static func entry(_ value: JSONValue, _ domain: [String: JSONValue]) -> Entry {
        let members = value.members ?? [:]
        let defaults = domain.merging(members["defaults"]?.members ?? [:]) { $1 }
        let components = members["components"]?.array?.map { component in
            AssociationComponent(
                offset: component.range.lowerBound,
                defaults.merging(component.members ?? [:]) { $1 }
            )
        }
        let paths = (members["paths"]?.array ?? []).map { value in
            AssociationComponent(offset: value.range.lowerBound, path: value.safeString ?? "")
        }
        let listed = (members["appIDs"]?.array ?? []) + [members["appID"]].compactMap(\.self)
        return (apps(listed), components ?? paths)
    }
}

// MARK: - Other files

extension AssociationFile {
    /// The kind of file that is published instead of an association file, recognized by its first bytes after white space, and
    /// the file to publish.
    private static let otherKinds: [(start: [UInt8], kind: Sentence)] = [
        ([0x30, 0x80], signed), ([0x30, 0x81], signed), ([0x30, 0x82], signed), ([0x30, 0x83], signed),
        (Array("-----BEGIN".utf8), signed),
        (Array("<?xml".utf8), "this file is XML; publish JSON"),
        (Array("bplist".utf8), "this file is a property list; publish JSON"),
        (Array("<".utf8), "this is a web page, as a server sends in place of a missing file; publish the JSON"),
        (Array("[".utf8), "this file is an array and must be an object: {\"applinks\": {\"details\": […]}}"),
        ([0x1F, 0x8B], "this file is compressed; publish the plain JSON"),
    ]

    private static let signed: Sentence =
        "this file is signed, as systems before iOS 9 expected it; publish the plain JSON"

    private static func otherKind(of bytes: [UInt8]) -> Failure? {
        if bytes.areUTF16 { return Failure(offset: 0, message: "this file is in UTF-16; publish it in UTF-8") }
        let start = bytes.drop(while: ASCII.isWhiteSpace)
        if start.isEmpty { return Failure(offset: 0, message: "this file is empty; publish the JSON") }
        if let kind = otherKinds.first(where: { start.starts(with: $0.start) })?.kind {
            return Failure(offset: start.startIndex, message: kind)
        }
        return bytes.offsetOfInvalidUTF8
            .map { Failure(offset: $0, message: "this file is not UTF-8 from here on; publish it in UTF-8") }
    }

    /// Whether a file begins as a JSON object with members does. A template may begin with a brace, too.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        let start = bytes.withoutByteOrderMark.drop(while: ASCII.isWhiteSpace)
        let next = start.dropFirst().drop(while: ASCII.isWhiteSpace).first
        return start.first == ASCII.openBrace && (next == ASCII.quote || next == ASCII.closeBrace)
    }
}

// MARK: - Matching

extension AssociationFile {
    /// A component that decides on an address: the one with a number, in the detail with an index.
    package typealias Decision = (detail: Int, number: Int, component: AssociationComponent)

    /// The component that decides on an address, and its place; `nil` if none matches. The first one that matches decides.
    ///
    /// Of several apps, one for which the address is matched counts before one for which it is excluded.
    package func decision(on address: String, for apps: Set<String>) -> Decision? {
        let address = AssociationAddress(address, variables: variables)
        var undecided = apps
        var excluding: Decision?
        for (index, entry) in entries.enumerated() {
            let own = entry.apps.map(\.id).filter(undecided.contains)
            guard !own.isEmpty, let first = entry.components.enumerated().first(where: { address.matches($0.element) })
            else { continue }
            let decision = (hasIndexes ? index : 0, first.offset, first.element)
            guard first.element.isExclude else { return decision }
            excluding = excluding ?? decision
            undecided.subtract(own)
        }
        return excluding
    }
}

extension JSONValue {
    var safeString: String? { string?.streamSafe }

    /// The members of an object, by name. If a member is repeated, the last one counts.
    var members: [String: JSONValue]? {
        var members: [String: JSONValue] = [:]
        guard (try? readObject({ members[$0.content.streamSafe] = $1 })) != nil else { return nil }
        return members
    }
}
