/// The app's half of an association: its `Info.plist` and its entitlements.
package struct AppFiles {
    /// A property list, and the file that it is from.
    final class List {
        let document: SiteDocument
        let list: PropertyList

        init(_ path: String) throws(SiteFailure) {
            var bytes = try FileContent.bytes(of: path, atMost: PropertyList.maximumSize)
            if !bytes.starts(with: "bplist".utf8) { bytes = try FileContent.text(bytes, of: path) }
            document = SiteDocument(path: path, bytes: bytes)
            do throws(PropertyList.Failure) { list = try PropertyList(bytes) } catch {
                throw SiteFailure(path: path, problem: error.message, kind: .notAPage)
            }
        }

        /// The place of a key; in a binary list, that of the file.
        func place(of key: String) -> SitePlace {
            document.place(at: document.bytes.range(of: "<key>\(key)</key>")?.lowerBound ?? 0)
        }

        /// The texts of some arrays at a key, in the order of the file, and their places. A text that isn't found as it is, as in a
        /// binary list, has the place before it.
        func texts(_ arrays: [PropertyList], of key: String) -> [(text: String, place: SitePlace)] {
            var position = 0
            func offset(of part: String) -> Int? { document.bytes.range(of: part, from: position)?.lowerBound }
            let found = arrays.flatMap { array -> [(text: String, offset: Int)] in
                position = offset(of: "<key>\(key)</key>") ?? position
                return (array.array ?? []).compactMap(\.string).map { text in
                    let element = offset(of: "<string>\(text.replacing("&", with: "&amp;"))</string>")
                    defer { position = element.map { $0 + 1 } ?? position }
                    return (text, element ?? position)
                }
            }
            return zip(found, document.places(at: found.map(\.offset))).map { (text: $0.text, place: $1) }
        }
    }

    private(set) var info: List?
    private(set) var entitlements: List?

    package init() {}

    /// Reads the files at two paths.
    package init(info: String?, entitlements: String?) throws(SiteFailure) {
        self.info = try info.map { path throws(SiteFailure) in try List(path) }
        self.entitlements = try entitlements.map { path throws(SiteFailure) in try List(path) }
    }
}

// MARK: - Values

extension AppFiles {
    /// An associated domain, such as `applinks:example.com`.
    struct Domain {
        let text: String
        let place: SitePlace
        let service: String?
        /// The text after the service, without `?mode=developer`.
        let host: String
        /// The text after `?`, such as `mode=developer`.
        let query: String?

        init(text: String, place: SitePlace) {
            self.text = text
            self.place = place
            let parts = text.utf8.split(separator: ASCII.colon, maxSplits: 1, omittingEmptySubsequences: false)
            service = parts.count > 1 ? String(Substring(parts[0])) : nil
            let rest = String(Substring(parts[parts.count - 1]))
            host = String(Substring(rest.utf8.prefix { $0 != ASCII.questionMark }))
            query = WebAddress(rest).query.map(String.init)
        }

        private static let services = ["applinks", "appclips", "webcredentials", "activitycontinuation"]
        private static let modes: Set<String> = ["mode=developer", "mode=managed", "mode=developer+managed"]

        /// What systems don't accept in it; `nil` if there is nothing, or if it has a variable of Xcode's.
        var problem: Sentence? {
            guard Identity.known(text) != nil || text.isEmpty else { return nil }
            let mend: Sentence = "; write applinks: and the host only, such as applinks:example.com"
            guard let service, !["http", "https"].contains(service.asciiLowercased),
                !service.utf8.contains(ASCII.period)
            else { return "has no service" + mend }
            guard Self.services.contains(service) else {
                // Others could be new.
                let letters = Array(service.asciiLowercased.utf8)
                return Self.services.first { Spelling.distance(letters, Array($0.utf8)) <= 2 }
                    .map { "has a service that systems don't know; write \(name: $0):" }
            }
            if host.contains("://") { return "has a scheme" + mend }
            if host.utf8.contains(ASCII.slash) { return "has a path" + mend }
            if host.utf8.contains(ASCII.colon) { return "has a port" + mend }
            if host.isEmpty || host.utf8.contains(where: ASCII.isWhiteSpace) { return "has no valid host" + mend }
            if host.utf8.contains(where: { $0 >= 0x80 }) {
                return "has a host with letters beyond ASCII; write it in Punycode, which begins with xn--"
            }
            return query.map(Self.modes.contains) == false
                ? "has a mode that systems don't know; write ?mode=developer or ?mode=managed" : nil
        }
    }

    var domains: [Domain] {
        let key = "com.apple.developer.associated-domains"
        return entitlements.map { file in file.texts([file.list[key]].compactMap(\.self), of: key).map(Domain.init) }
            ?? []
    }

    /// Whether these are the entitlements of an App Clip.
    var isClip: Bool { entitlements?.list["com.apple.developer.parent-application-identifiers"] != nil }

    /// The schemes that the app registers, with their places.
    var schemes: [(name: String, place: SitePlace)] {
        let key = "CFBundleURLSchemes"
        guard let info, let types = info.list["CFBundleURLTypes"]?.array else { return [] }
        return info.texts(types.compactMap { $0[key] }, of: key).map { (name: $0, place: $1) }
    }

    /// The app's id, as far as the files contain it.
    var identity: Identity {
        let identifier = ["application-identifier", "com.apple.application-identifier"]
            .compactMap { entitlements?.list[$0]?.string }.first
        var identity = Identity(identifier ?? "")
        identity.team =
            identity.team ?? Identity.known(entitlements?.list["com.apple.developer.team-identifier"]?.string)
        identity.bundle = identity.bundle ?? Identity.known(info?.list["CFBundleIdentifier"]?.string)
        return identity
    }

    /// The two parts of an app id, such as `ABCDE12345.com.example.app`.
    struct Identity {
        var team: String?
        var bundle: String?

        init(_ appID: String) {
            // In Xcode, the prefix is a variable that ends with the period.
            let prefixes = ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]
            if let prefix = prefixes.first(where: appID.hasPrefix) {
                bundle = Self.known(String(appID.dropFirst(prefix.count)))
            } else if let period = appID.utf8.firstIndex(of: ASCII.period) {
                team = Self.known(String(appID[..<period]))
                bundle = Self.known(String(Substring(appID.utf8[period...].dropFirst())))
            }
        }

        /// The problem of a text that isn't an app ID; `nil` if it is one.
        ///
        /// An app ID has a prefix of ten capital letters and digits, which is usually the team, and the bundle identifier.
        static func problem(ofAppID text: String) -> Sentence? {
            let period = text.utf8.firstIndex(of: ASCII.period) ?? text.utf8.endIndex
            let (prefix, bundle) = (String(text[..<period]), String(text[period...].dropFirst()))
            let isCapital = prefix.utf8.allSatisfy { ASCII.isDigit($0) || ASCII.lowercased($0) != $0 }
            let isTeam = isCapital && prefix.utf8.count == 10
            let isSample = isCapital && prefix.contains("TEAM") || isTeam && Set(prefix).count == 1
            if let placeholder = [prefix, bundle].lazy.compactMap(Placeholder.first).first {
                return "\(quoted: placeholder) is a placeholder that was not filled in"
            }
            if isTeam, !isSample, !bundle.isEmpty { return nil }
            return isSample
                ? "\(quoted: prefix) stands for a team's 10 capital letters and digits and was not filled in"
                : "\(quoted: text) must begin with the team's 10 capital letters and digits, as in ABCDE12345.com.example.app"
        }

        /// A text that isn't empty and has no variables of Xcode's.
        static func known(_ text: String?) -> String? {
            text.flatMap { $0.isEmpty || $0.contains("$(") || $0.contains("${") ? nil : $0 }
        }

        var isKnown: Bool { team != nil || bundle != nil }

        func matches(_ appID: String) -> Bool {
            let other = Identity(appID)
            return (team == nil || team == other.team) && (bundle == nil || bundle == other.bundle)
        }

        var text: String { (team ?? "TEAMID") + "." + (bundle ?? "BUNDLE") }
    }
}
