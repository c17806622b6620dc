/// Problems with a site's association file.
enum AssociationRules {
    /// The largest file that systems read, in bytes.
    static let maximumSize = 128 << 10

    static func missing(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let lacking = site.folders.filter {
            $0.association == nil && $0.folder.association == nil && $0.folder.misnamed == nil
        }
        let mend: Sentence = "add .well-known/apple-app-site-association to the site, as 'referral-tool site' writes it"
        let domain = site.app.domains.first { ["applinks", "appclips"].contains($0.service) }
        if let domain, !lacking.isEmpty, lacking.count == site.folders.count {
            return [
                (
                    domain.place,
                    "the app is associated with \(quoted: domain.host), but the site has no association file; \(mend)"
                )
            ]
        }
        if let page = site.productPages.first(where: { $0.page.host != nil }), !lacking.isEmpty,
            lacking.count == site.folders.count
        {
            return [(page.linkPlace, "this address opens the app only if the site has an association file; \(mend)")]
        }
        return lacking.flatMap(\.banners).filter { $0.clip != nil }.prefix(1).map { banner in
            (banner.place, "this banner has an App Clip, but the site has no association file; \(mend)")
        }
    }

    static func named(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.compactMap(\.folder.misnamed).map { path in
            let message: Sentence =
                "systems look for an association file without an extension; call it apple-app-site-association"
            return (SitePlace(file: path, line: 1, column: 1), message)
        }
    }

    static func copied(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.files.compactMap { readable in
            readable.folder.folder.source.map { source in
                let apps = readable.file.entries.flatMap(\.apps).map(\.id) + (readable.file.clips?.apps ?? []).map(\.id)
                let components = readable.file.entries.reduce(0) { $0 + $1.components.count }
                let message: Sentence =
                    "checked as the file of the site, since most build tools copy \(quoted: source) to the site's root; it is for "
                    + (apps.isEmpty ? "no app" : "\(quoted: apps.joined(separator: ", "))")
                    + ", with \(components) \(components == 1 ? "component" : "components")"
                return (readable.document.place(at: 0), message)
            }
        }
    }

    static func notJSON(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.compactMap(\.association).compactMap { association in
            guard case .failure(let failure) = association.content else { return nil }
            return (association.document.place(at: failure.offset), failure.message)
        }
    }

    static func tooLarge(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.compactMap(\.association?.document).filter { $0.bytes.count > maximumSize }.map { document in
            let message: Sentence =
                "this file has \(document.bytes.count) bytes, and systems read at most 131072; use wildcards"
            return (document.place(at: 0), message)
        }
    }

    static func otherApp(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let identity = site.app.identity
        guard identity.isKnown else { return [] }
        return site.wellFormedFiles.compactMap { readable in
            let apps = site.app.isClip ? readable.file.clips?.apps ?? [] : readable.file.entries.flatMap(\.apps)
            // A placeholder is a separate problem.
            guard !apps.contains(where: { identity.matches($0.id) || AppFiles.Identity.problem(ofAppID: $0.id) != nil })
            else { return nil }
            let list = site.app.isClip ? "appclips" : "applinks"
            guard let app = nearest(to: identity, in: apps) else {
                return (
                    readable.document.place(at: 0),
                    "this file lists no app in \(name: list); add \(quoted: identity.text)"
                )
            }
            let message: Sentence =
                "\(quoted: app.id) is another app than the one of the given files; write \(quoted: identity.text)"
            return (readable.document.place(at: app.offset), message)
        }
    }

    /// The app with the same bundle or the same team, or the first one.
    private static func nearest(
        to identity: AppFiles.Identity,
        in apps: [AssociationFile.App]
    ) -> AssociationFile.App? {
        apps.first { AppFiles.Identity($0.id).bundle == identity.bundle }
            ?? apps.first { AppFiles.Identity($0.id).team == identity.team } ?? apps.first
    }

    static func clip(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let team = site.app.identity.team
        return site.wellFormedFiles.flatMap { readable in
            var known: Set<String> = []
            let clips = readable.folder.banners.compactMap(\.clip).filter { known.insert($0).inserted }
            return clips.compactMap { clip -> Rule.SiteProblem? in
                var identity = AppFiles.Identity("")
                (identity.team, identity.bundle) = (team, clip)
                guard readable.file.clips?.apps.contains(where: { identity.matches($0.id) }) != true else { return nil }
                let message: Sentence =
                    "the App Clip \(quoted: clip) of a page's banner is missing; add \(quoted: identity.text) to the apps of appclips"
                return (readable.document.place(at: readable.file.clips?.offset ?? 0), message)
            }
        }
    }
}
