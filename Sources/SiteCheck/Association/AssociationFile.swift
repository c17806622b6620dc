import ReferralBridge

/// An `apple-app-site-association` file: which addresses of a site open which app.
package struct AssociationFile {
    /// An entry of `details`.
    struct Entry {
        /// The offset in the file.
        let offset: Int
        /// The app ids, such as `ABCDE12345.com.example.app`, with their offsets.
        let apps: [(id: String, offset: Int)]
        /// The components, or the older `paths`.
        let components: [AssociationComponent]
        /// The offset of `paths` that don't count, because there are components.
        let ignoredPaths: Int?

        func lists(_ appID: String) -> Bool { apps.contains { $0.id.utf8.elementsEqual(appID.utf8) } }
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
    private(set) var clips: (ids: [String], offset: Int)?

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
            self.clips = (apps.compactMap(\.string), clips.range.lowerBound)
        }
        guard let links = members["applinks"]?.members else { return }
        variables = (links["substitutionVariables"]?.members ?? [:])
            .mapValues { $0.array?.compactMap(\.string) ?? [] }
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

    private static func entry(
        _ value: JSONValue,
        _ domain: [String: JSONValue],
        apps: [(id: String, offset: Int)] = []
    ) -> Entry {
        let members = value.members ?? [:]
        let listed = (members["appIDs"]?.array ?? []) + [members["appID"]].compactMap(\.self)
        let apps = apps + listed.compactMap { value in value.string.map { ($0, value.range.lowerBound) } }
        let defaults = domain.merging(members["defaults"]?.members ?? [:]) { $1 }
        let components = members["components"]?.array?.map { component in
            AssociationComponent(
                offset: component.range.lowerBound,
                defaults.merging(component.members ?? [:]) { $1 }
            )
        }
        let paths = (members["paths"]?.array ?? []).map { value in
            AssociationComponent(offset: value.range.lowerBound, path: value.string ?? "")
        }
        return Entry(
            offset: value.range.lowerBound,
            apps: apps,
            components: components ?? paths,
            ignoredPaths: components == nil ? nil : members["paths"]?.range.lowerBound
        )
    }
}

// MARK: - Matching

extension AssociationFile {
    /// What an app does with an address of the site. The first component that matches decides.
    package func match(_ address: String, for appID: String) -> Match {
        var address = AssociationAddress(address, variables: variables)
        for (index, entry) in entries.enumerated() where entry.lists(appID) {
            for (number, component) in entry.components.enumerated() where address.matches(component) {
                let detail = hasIndexes ? index : 0
                return component.isExclude
                    ? .excluded(detail: detail, component: number) : .matched(detail: detail, component: number)
            }
        }
        return .unmatched
    }
}

extension JSONValue {
    /// The members of an object, by name. If a member is repeated, the last one counts.
    var members: [String: JSONValue]? {
        var members: [String: JSONValue] = [:]
        guard (try? readObject({ members[$0.content] = $1 })) != nil else { return nil }
        return members
    }
}
