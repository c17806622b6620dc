/// The app's half of an association: its `Info.plist` and its entitlements.
package struct AppFiles {
    /// A property list, and the file that it is from.
    struct List {
        let document: SiteDocument
        let list: PropertyList

        init(_ path: String) throws(SiteFailure) {
            var bytes = try FileContent.bytes(of: path)
            if !bytes.starts(with: "bplist".utf8) { bytes = try FileContent.text(bytes, of: path) }
            let document = SiteDocument(path: path, bytes: bytes)
            self.document = document
            do throws(PropertyList.Failure) { list = try PropertyList(document.bytes) } catch {
                let line = document.place(at: error.offset).line
                throw SiteFailure(path: path, problem: "\(error.message) (line \(line))", kind: .notAPage)
            }
        }

        func place(of list: PropertyList) -> SitePlace { document.place(at: list.offset) }
    }

    let info: List?
    let entitlements: List?

    package init() {
        info = nil
        entitlements = nil
    }

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

        /// The text before the first colon, and after it.
        private var parts: (service: String, rest: String)? {
            text.utf8.firstIndex(of: ASCII.colon).map { colon in
                (String(text[..<colon]), String(Substring(text.utf8[colon...].dropFirst())))
            }
        }

        var service: String? { parts?.service }

        /// The text after the service, without `?mode=developer`.
        var host: String {
            let rest = parts?.rest ?? text
            return String(Substring(rest.utf8.prefix { $0 != ASCII.questionMark }))
        }

        /// The text after `?`, such as `mode=developer`.
        var query: String? { WebAddress(parts?.rest ?? text).query.map(String.init) }
    }

    var domains: [Domain] {
        guard let entitlements else { return [] }
        return (entitlements.list["com.apple.developer.associated-domains"]?.array ?? []).compactMap { value in
            value.string.map { Domain(text: $0, place: entitlements.place(of: value)) }
        }
    }

    /// Whether an entitlement is true.
    func isEntitled(to name: String) -> Bool { entitlements?.list[name]?.bool == true }

    /// Whether these are the entitlements of an App Clip.
    var isClip: Bool { entitlements?.list["com.apple.developer.parent-application-identifiers"] != nil }

    /// The schemes that the app registers, with their places.
    var schemes: [(name: String, place: SitePlace)] {
        guard let info else { return [] }
        let types = info.list["CFBundleURLTypes"]?.array ?? []
        return types.flatMap { $0["CFBundleURLSchemes"]?.array ?? [] }.compactMap { value in
            value.string.map { ($0, info.place(of: value)) }
        }
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
            let letters = prefix.utf8.filter { ASCII.isDigit($0) || 65...90 ~= $0 }
            let isSample =
                letters.count == prefix.utf8.count
                && (prefix.utf8.firstRange(of: "TEAM".utf8) != nil || letters.count == 10 && Set(letters).count == 1)
            if let placeholder = [prefix, bundle].lazy.compactMap(Placeholder.first).first {
                return "\(quoted: placeholder) is a placeholder that was not filled in"
            }
            if letters.count == 10, prefix.utf8.count == 10, !isSample, !bundle.isEmpty { return nil }
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
