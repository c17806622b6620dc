import UnlockCatalog

/// The tables of campaigns of App Store Connect and Google Play.
///
/// Columns as documented: Apple's [Discovery and Engagement](https://developer.apple.com/documentation/analytics-reports/app-store-discovery-and-engagement)
/// and [Downloads](https://developer.apple.com/documentation/analytics-reports/app-downloads), detailed; Google Play's store
/// performance by traffic source. The table of App Analytics' own page isn't documented, and not yet tested: it is recognized by a
/// column *Campaign* and the names of its metrics.
struct StoreTable {
    private let table: SourceTable
    private let kind: SourceKind

    /// Where the table begins: App Analytics' own export has lines before it.
    static func header(in bytes: [UInt8]) -> Int? {
        var start = 0
        for _ in 0..<20 where start < bytes.count {
            let end = bytes[start...].firstIndex(of: ASCII.lineFeed) ?? bytes.count
            if let table = SourceTable(Array(bytes[start..<end])), kind(of: table) != nil { return start }
            start = end + 1
        }
        return nil
    }

    private static func kind(of table: SourceTable) -> SourceKind? {
        if table.index(of: "utm campaign") != nil, table.index(of: "store listing acquisitions") != nil { return .play }
        guard table.index(of: "campaign") != nil else { return nil }
        if table.index(of: "counts") != nil {
            if table.index(of: "download type") != nil { return .appStoreDownloads }
            if table.index(of: "event") != nil { return .appStoreViews }
        }
        return table.index(of: views + downloads) == nil ? nil : .appStoreCampaigns
    }

    private static let views = ["product page views", "product page views (unique devices)", "page views"]
    private static let downloads = ["first-time downloads", "first time downloads", "app units", "total downloads"]

    init?(_ bytes: [UInt8]) {
        guard let start = Self.header(in: bytes), let table = SourceTable(Array(bytes[start...])),
            let kind = Self.kind(of: table)
        else { return nil }
        (self.table, self.kind) = (table, kind)
    }

    /// Counts the rows. A campaign is the referrer of the same name, unless a table of links says whose it is.
    func count(in tally: inout Tally, referrers: [Name: String]) {
        let dateColumn = table.index(of: "date")
        let campaignColumn = kind == .play ? table.index(of: "utm campaign") : table.index(of: "campaign")
        let columns = columns
        var rows = 0
        let rejected = table.forEach { cell in
            rows += 1
            let dateText = cell(dateColumn)
            let date = dateText.isEmpty ? nil : Day(Self.isoDate(dateText))
            if date == nil, !dateText.isEmpty || tally.scope.needsDays {
                return tally.leaveOut("rows of a store's table without a day that can be read")
            }
            if let date, !tally.scope.contains(date) { return tally.leaveOut("rows on other days") }
            let campaign = cell(campaignColumn)
            guard !Self.withoutCampaign.contains(Name(campaign)) else {
                return tally.leaveOut("rows of a store's table without a campaign")
            }
            let referrer = tally.referrers.place(of: referrers[Name(campaign)] ?? campaign)
            let place = tally.campaigns.place(of: campaign)
            for (measure, column, condition) in columns {
                if let condition, Name(cell(condition.column).lowercased()) != Name(condition.value) { continue }
                guard let count = SourceTable.number(cell(column)), count >= 0 else { continue }
                tally.add(count, to: measure, on: date, referrer, campaign: place)
            }
        }
        tally.sources[kind, default: 0] += rows
        if rejected > 0 { tally.leaveOut("rows of a store's table with another number of cells", rejected) }
    }

    /// What a store writes in the place of a campaign.
    private static let withoutCampaign = Set(["", "(not set)", "Other", "N/A"].map(Name.init))

    private typealias Condition = (column: Int?, value: String)

    /// The columns with numbers, each with the condition under which it counts.
    private var columns: [(Measure, Int?, Condition?)] {
        switch kind {
        case .play:
            [
                (.listingVisitors, table.index(of: "store listing visitors"), nil),
                (.acquisitions, table.index(of: "store listing acquisitions"), nil),
            ]
        case .appStoreViews:
            [(.productPageViews, table.index(of: "counts"), (table.index(of: "event"), "page view"))]
        case .appStoreDownloads:
            [(.downloads, table.index(of: "counts"), (table.index(of: "download type"), "first-time download"))]
        default:
            [
                (.productPageViews, table.index(of: Self.views), nil),
                (.downloads, table.index(of: Self.downloads), nil),
            ]
        }
    }

    /// A date such as `2026-10-01` or `20261001`.
    private static func isoDate(_ text: String) -> String {
        guard text.utf8.count == 8, text.utf8.allSatisfy(ASCII.isDigit) else { return text }
        return "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
    }
}
