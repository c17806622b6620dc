import ReferralBridge

/// What a store page is made of, under the names that options and columns share.
struct PageParts: Hashable {
    enum Part: String, CaseIterable {
        case page, storefront, slug, pt, ct, ppid
    }

    let appID: AppID?
    private var values: [Part: String] = [:]

    static let options: [Option] = [.value("--app-id")] + Part.allCases.map { .value("--\($0.rawValue)") }

    init(_ arguments: Arguments) throws(ToolError) {
        guard !arguments.contains("--page") || !arguments.contains("--app-id") else {
            throw .usage("which page? Give either --page ADDRESS or --app-id ID, not both")
        }
        for part in ["--slug", "--storefront"] where arguments.contains("--page") && arguments.contains(part) {
            throw .usage("\(part) goes with --app-id; --page has an address of its own")
        }
        appID = try arguments.read("--app-id", "an app id is 1 to 19 digits", AppID.init)
        for part in Part.allCases { values[part] = arguments["--\(part.rawValue)"] }
    }

    subscript(part: Part) -> String? {
        get { values[part] }
        set { values[part] = newValue }
    }

    /// The one page that the options of a command make.
    static func storePage(_ arguments: Arguments) throws(ToolError) -> StorePage {
        let parts = try PageParts(arguments)
        guard parts.nameAnApp else { throw .usage("which page? Give either --page ADDRESS or --app-id ID") }
        guard arguments.contains("--pt") == arguments.contains("--ct") else {
            throw .usage("--pt and --ct go together: the App Store counts neither alone")
        }
        do { return try parts.storePage() } catch {
            throw .value(parts[error.part] ?? "", of: "--\(error.part.rawValue)", error.problem)
        }
    }

    /// Whether they say which app it is.
    var nameAnApp: Bool { appID != nil || self[.page] != nil }

    /// The page that they make. A page's address stands in front of an app id.
    func storePage() throws(PartError) -> StorePage {
        for part in [Part.slug, .storefront] where self[.page] != nil && self[part] != nil {
            throw PartError(part, "it goes with an app id; a page has an address of its own")
        }
        for (part, other) in [(Part.pt, Part.ct), (.ct, .pt)] where self[part] == nil && self[other] != nil {
            throw PartError(part, "missing, and the App Store counts no \(other.rawValue) without it")
        }
        do throws(StorePageError) {
            var campaign: Campaign?
            if let pt = self[.pt], let ct = self[.ct] {
                campaign = try Campaign(providerToken: pt, campaignToken: ct)
            }
            if let page = self[.page] {
                return try StorePage(parsing: page).with(campaign: campaign, customProductPage: self[.ppid])
            }
            guard let appID else { throw .missingAppID }
            return try StorePage(
                appID: appID,
                storefront: self[.storefront],
                slug: self[.slug],
                campaign: campaign,
                customProductPage: self[.ppid]
            )
        } catch {
            throw partError(error)
        }
    }

    private func partError(_ error: StorePageError) -> PartError {
        switch error {
        case .invalidStorefront: PartError(.storefront, error.description)
        case .invalidSlug: PartError(.slug, error.description)
        case .invalidCampaignToken(byteCount: 0): PartError(.ct, "empty")
        case .invalidCampaignToken(let bytes): PartError(.ct, "\(bytes) bytes, at most \(Campaign.maximumTokenLength)")
        case .emptyProviderToken: PartError(.pt, "empty")
        case .invalidCustomProductPage: PartError(.ppid, error.description)
        case .unsupportedScheme, .containsUserInfo, .unsupportedHost, .missingAppID, .containsControlCharacter:
            PartError(.page, error.description)
        case .tooLong: PartError(longest, error.description)
        }
    }
}

extension PageParts {
    /// The part that makes an address too long.
    private var longest: Part {
        Part.allCases.max { self[$0]?.utf8.count ?? 0 < self[$1]?.utf8.count ?? 0 } ?? .page
    }
}

/// What is wrong with one of a page's parts.
struct PartError: Error {
    let part: PageParts.Part
    /// What is wrong with it, in a few words or a sentence.
    let problem: String

    init(_ part: PageParts.Part, _ problem: String) {
        self.part = part
        self.problem = problem
    }
}
