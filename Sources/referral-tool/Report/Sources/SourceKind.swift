/// What a file is.
enum SourceKind: String, CaseIterable {
    case common, combined, caddy, cloudflare, cloudFront, counts, appStoreViews, appStoreDownloads, appStoreCampaigns,
        play, links,
        guestbook

    var title: String {
        switch self {
        case .common: "access log, Common"
        case .combined: "access log, Combined"
        case .caddy: "access log of Caddy"
        case .cloudflare: "access log of Cloudflare"
        case .cloudFront: "access log of CloudFront"
        case .counts: "the app's counts"
        case .appStoreViews: "App Store Connect, Discovery and Engagement"
        case .appStoreDownloads: "App Store Connect, Downloads"
        case .appStoreCampaigns: "App Store Connect, campaigns"
        case .play: "Google Play, store performance"
        case .links: "links"
        case .guestbook: "guestbook"
        }
    }

    var isLog: Bool {
        switch self {
        case .common, .combined, .caddy, .cloudflare, .cloudFront: true
        default: false
        }
    }
}
