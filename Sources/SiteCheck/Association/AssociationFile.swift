import ReferralBridge

/// An `apple-app-site-association` file: which addresses of a site open which app.
package struct AssociationFile {
    /// An app id, such as `ABCDE12345.com.example.app`, with its offset in the file.
    typealias App = (id: String, offset: Int)

    /// An entry of `details`.
    struct Entry {
        /// The offset in the file.
        let offset: Int
        let apps: [App]
        /// The components, or the older `paths`.
        let components: [AssociationComponent]
        let isPaths: Bool
        /// The offset of `paths` that don't count, because there are components.
        let ignoredPaths: Int?
    }

    /// What an app does with an address.
    package enum Match: Equatable {
        case matched(detail: Int, component: Int)
        case excluded(detail: Int, component: Int)
        case unmatched
    }

    /// Why a file can't be read.
    package struct Failure: Error {
        package let offset: Int
        package let message: String
    }

    /// The entries of `applinks`. If `details` is an object, each has the index 0.
    private(set) var entries: [Entry] = []
    private var hasIndexes = true

    /// The apps of `appclips`, and the offset of that member.
    private(set) var clips: (apps: [App], offset: Int)?

    private(set) var variables: [String: [String]] = [:]

    /// Reads a file in UTF-8.
    package init(_ bytes: [UInt8]) throws(Failure) {
        let result = bytes.withUnsafeBufferPointer { bytes -> Result<AssociationFile, Failure> in
            var reader = JSONReader(bytes)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch {
                let message =
                    error == .nestedTooDeeply
                    ? "this is nested more than 64 levels deep" : "this is not JSON, so no address opens the app"
                return .failure(Failure(offset: min(reader.position, bytes.count), message: message))
            }
            return .success(AssociationFile(members: (try? JSONValue(object: bytes))?.members ?? [:]))
        }
        self = try result.get()
    }

    private init(members: [String: JSONValue]) {
        if let clips = members["appclips"] {
            let apps = clips.members?["apps"]?.array ?? []
            self.clips = (Self.apps(apps), clips.range.lowerBound)
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
                .map { id, value in Self.entry(value, defaults, apps: [(id, value.range.lowerBound)]) }
        }
    }

    private static func apps(_ values: [JSONValue]) -> [App] {
        values.compactMap { value in value.safeString.map { ($0, value.range.lowerBound) } }
    }

    private static func entry(
        _ value: JSONValue,
        _ domain: [String: JSONValue],
        apps: [App] = []
    ) -> Entry {
        let members = value.members ?? [:]
        let listed = (members["appIDs"]?.array ?? []) + [members["appID"]].compactMap(\.self)
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
        return Entry(
            offset: value.range.lowerBound,
            apps: apps + Self.apps(listed),
            components: components ?? paths,
            isPaths: components == nil,
            ignoredPaths: components == nil ? nil : members["paths"]?.range.lowerBound
        )
    }
}

// MARK: - Matching

extension AssociationFile {
    /// What an app does with an address of the site. The first component that matches decides.
    package func match(_ address: String, for appID: String) -> Match {
        guard let (detail, number, component) = decision(on: address, for: [appID]) else { return .unmatched }
        return component.isExclude
            ? .excluded(detail: detail, component: number) : .matched(detail: detail, component: number)
    }

    typealias Decision = (detail: Int, number: Int, component: AssociationComponent)

    /// The component that decides on an address, and its place; `nil` if none matches.
    ///
    /// Of several apps, one for which the address is matched counts before one for which it is excluded.
    func decision(on address: String, for apps: Set<String>) -> Decision? {
        var address = AssociationAddress(address, variables: variables)
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
