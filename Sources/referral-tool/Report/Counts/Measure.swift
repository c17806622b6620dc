/// A number that one source has for one step. Numbers of different sources are never added.
enum Measure: Int, CaseIterable {
    case made, viewed, opened, tapped, copied, productPageViews, downloads, listingVisitors, acquisitions, arrived,
        entries, genuineEntries

    /// The name in JSON and CSV.
    var name: String {
        switch self {
        case .made: "made"
        case .viewed: "opened"
        case .opened: "openedCounted"
        case .tapped: "tapped"
        case .copied: "copied"
        case .productPageViews: "appStoreViews"
        case .downloads: "appStoreDownloads"
        case .listingVisitors: "playVisitors"
        case .acquisitions: "playInstalls"
        case .arrived: "arrived"
        case .entries: "invited"
        case .genuineEntries: "thanked"
        }
    }

    /// The source, as it stands beside the number.
    var source: String {
        switch self {
        case .made: "links"
        case .viewed: "log: landing page"
        case .opened, .tapped, .copied: "log: count address"
        case .productPageViews, .downloads: "App Store Connect"
        case .listingVisitors, .acquisitions: "Google Play"
        case .arrived: "app"
        case .entries, .genuineEntries: "guestbook"
        }
    }

    /// The head of the column in a table for people.
    var title: String {
        switch self {
        case .made: "links made"
        case .viewed: "opened (page)"
        case .opened: "opened (counted)"
        case .tapped: "tapped"
        case .copied: "copied"
        case .productPageViews: "App Store views"
        case .downloads: "App Store downloads"
        case .listingVisitors: "Play visitors"
        case .acquisitions: "Play installs"
        case .arrived: "arrived"
        case .entries: "invited"
        case .genuineEntries: "thanked"
        }
    }

    init?(name: String) {
        guard let measure = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = measure
    }
}

/// A step on the way from the link to the app.
enum Step: String, CaseIterable {
    case made = "Links made"
    case opened = "Opened the page"
    case tapped = "Tapped"
    case copied = "Copied the link"
    case visitedStore = "Saw the store page"
    case downloaded = "Downloaded"
    case arrived = "Arrived in the app"
    case invited = "Signed the guestbook"
    case thanked = "Thanked"

    /// The numbers for the step, one per source.
    var measures: [Measure] {
        switch self {
        case .made: [.made]
        case .opened: [.viewed, .opened]
        case .tapped: [.tapped]
        case .copied: [.copied]
        case .visitedStore: [.productPageViews, .listingVisitors]
        case .downloaded: [.downloads, .acquisitions]
        case .arrived: [.arrived]
        case .invited: [.entries]
        case .thanked: [.genuineEntries]
        }
    }
}
