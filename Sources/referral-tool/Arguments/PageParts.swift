/// The parts of a store page, under the names that options and columns share.
struct PageParts: Hashable {
    enum Part: String, CaseIterable {
        case page, storefront, slug, pt, ct, ppid

        /// Strings are compared by sorting their marks, names byte by byte.
        static func named(_ name: Name) -> Part? { allCases.first { Name($0.rawValue) == name } }

        var option: Option<String> {
            switch self {
            case .page: Option("--page", "ADDRESS", "an App Store address, which isn't changed")
            case .slug: Option("--slug", "S", "the app's name in the address, such as trestle-the-new-sudoku")
            case .storefront: Option("--storefront", "CC", "the country in the address, such as us")
            case .pt: Option("--pt", "T", "the provider token, together with --ct")
            case .ct: Option("--ct", "T", "the campaign token, at most \(Campaign.maximumTokenLength) bytes")
            case .ppid: Option("--ppid", "UUID", "a custom product page")
            }
        }
    }

    static let appIDOption = Option.appID("the app's number, the digits after id in its address")

    static let usage: [Usage] =
        [
            .either(
                [.required(Part.page.option)],
                [.required(appIDOption)] + Usage.optional(Part.slug.option, Part.storefront.option)
            )
        ] + Usage.optional(Part.pt.option, Part.ct.option, Part.ppid.option)

    let appID: AppID?
    private var values: [Part: String] = [:]

    init(_ arguments: Arguments) throws(ToolError) {
        appID = try arguments.value(of: Self.appIDOption)
        for part in Part.allCases { values[part] = arguments.text(of: part.option) }
        guard appID == nil || self[.page] == nil else {
            throw .usage("which page? Give either --page ADDRESS or --app-id ID, not both")
        }
    }

    subscript(part: Part) -> String? {
        get { values[part] }
        set { values[part] = newValue }
    }

    /// The page of a command's options. If the campaign token is optional, there may be a provider token alone, since taps
    /// add the other one.
    static func storePage(_ arguments: Arguments, tokenIsOptional: Bool = false) throws(ToolError) -> StorePage {
        let parts = try PageParts(arguments)
        guard parts.identifyAnApp else { throw .usage("which page? Give either --page ADDRESS or --app-id ID") }
        let page: StorePage
        do { page = try parts.storePage(tokenIsOptional: tokenIsOptional) } catch { throw parts.usageError(error) }
        parts.writeNote(on: page)
        return page
    }

    /// Notes a probable mistake in `--page`.
    func writeNote(on page: StorePage) {
        if let text = self[.page], let note = page.note { ByteStream.note("--page \(quoted: text): \(reason: note)") }
    }

    /// An error in an option rather than in a row.
    func usageError(_ error: RowError) -> ToolError {
        let name = error.column ?? ""
        guard let text = Part.named(Name(name)).flatMap({ self[$0] }) else {
            return .usage("--\(name: name) is \(error.problem)")
        }
        return .value(text, of: "--" + name, error.problem)
    }

    /// Whether there is an address or an app id.
    var identifyAnApp: Bool { appID != nil || self[.page] != nil }

    /// The page. An address takes precedence over an app id.
    func storePage(tokenIsOptional: Bool = false) throws(RowError) -> StorePage {
        for part in [Part.slug, .storefront] where self[.page] != nil && self[part] != nil {
            throw RowError(part.rawValue, "it needs an app ID; a page has its own address")
        }
        // An address may have a ct of its own.
        let isTokenMissing = tokenIsOptional && self[.pt] != nil && self[.ct] == nil
        let own = isTokenMissing ? self[.page].flatMap { try? StorePage($0).item(named: "ct") } : nil
        let token = isTokenMissing ? own ?? "-" : self[.ct]
        if let lone = Campaign.loneToken(hasProvider: self[.pt] != nil, hasCampaign: token != nil) {
            throw RowError(lone.missing, "missing; without it, the App Store doesn't count the \(name: lone.present)")
        }
        do throws(StorePageError) {
            var campaign: Campaign?
            if let pt = self[.pt], let token { campaign = try Campaign(providerToken: pt, campaignToken: token) }
            if let address = self[.page] {
                let page = try StorePage(address).with(campaign: campaign, customProductPage: self[.ppid])
                return isTokenMissing && own == nil ? try page.withoutItems(named: ["ct"]) : page
            }
            guard let appID else { throw .missingAppID }
            let page = try StorePage(
                appID: appID,
                storefront: self[.storefront],
                slug: self[.slug],
                campaign: campaign,
                customProductPage: self[.ppid]
            )
            return isTokenMissing ? try page.withoutItems(named: ["ct"]) : page
        } catch {
            throw rowError(error)
        }
    }

    private func rowError(_ error: StorePageError) -> RowError {
        let longest = Part.allCases.max { self[$0]?.utf8.count ?? 0 < self[$1]?.utf8.count ?? 0 } ?? .page
        let (part, problem): (Part, Sentence?) =
            switch error {
            case .invalidPart("ct", _) where self[.ct]?.isEmpty == false:
                (.ct, "\(self[.ct]?.utf8.count ?? 0) bytes, at most \(Campaign.maximumTokenLength)")
            case .invalidPart(let name, _): (Part.named(Name(name)) ?? .page, nil)
            case .tooLong: (longest, nil)
            default: (.page, nil)
            }
        return RowError(part.rawValue, problem ?? "\(reason: error)")
    }
}
