import ReferralBridge

/// Problems with a site's association file.
enum AssociationRules {
    /// The largest file that systems read, in bytes.
    static let maximumSize = 128 << 10

    static func missing(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let lacking = site.folders.filter {
            $0.association == nil && $0.folder.association == nil && $0.folder.misnamed == nil
        }
        let mend = "add .well-known/apple-app-site-association to the site, as 'referral-tool site' writes it"
        let domain = site.app.domains.first { ["applinks", "appclips"].contains($0.service) }
        if let domain, !lacking.isEmpty, lacking.count == site.folders.count {
            return [
                (
                    domain.place,
                    "the app is associated with \(domain.host.quoted), but the site has no association file; \(mend)"
                )
            ]
        }
        return lacking.flatMap(\.banners).filter { $0.clip != nil }.prefix(1).map { banner in
            (banner.place, "this banner has an App Clip, but the site has no association file; \(mend)")
        }
    }

    static func named(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.compactMap(\.folder.misnamed).map { path in
            let message =
                "systems look for an association file without an extension; call it apple-app-site-association"
            return (SitePlace(file: path, line: 1, column: 1), message)
        }
    }

    static func notJSON(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.compactMap(\.association).compactMap { association in
            guard case .failure(let failure) = association.content else { return nil }
            return (association.document.place(at: failure.offset), failure.message + "; correct it here, or before")
        }
    }

    static func tooLarge(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.compactMap(\.association?.document).filter { $0.bytes.count > maximumSize }.map { document in
            let message = "this file has \(document.bytes.count) bytes, and systems read at most 131072; use wildcards"
            return (document.place(at: 0), message)
        }
    }

    static func otherApp(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let identity = site.app.identity
        guard identity.isKnown else { return [] }
        return site.files.compactMap { _, document, file in
            let apps = site.app.isClip ? file.clips?.apps ?? [] : file.entries.flatMap(\.apps)
            guard !apps.contains(where: { identity.matches($0.id) }) else { return nil }
            let list = site.app.isClip ? "appclips" : "applinks"
            guard let app = nearest(to: identity, in: apps) else {
                return (document.place(at: 0), "this file lists no app in \(list); add \(identity.text.quoted)")
            }
            let message =
                "\(app.id.quoted) is another app than the one of the given files; write \(identity.text.quoted)"
            return (document.place(at: app.offset), message)
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
        return site.files.flatMap { folder, document, file in
            var known: Set<String> = []
            let clips = folder.banners.compactMap(\.clip).filter { known.insert($0).inserted }
            return clips.compactMap { clip -> Rule.SiteProblem? in
                var identity = AppFiles.Identity("")
                (identity.team, identity.bundle) = (team, clip)
                guard file.clips?.apps.contains(where: { identity.matches($0.id) }) != true else { return nil }
                let message =
                    "the App Clip \(clip.quoted) of a page's banner is missing; add \(identity.text.quoted) to the apps of appclips"
                return (document.place(at: file.clips?.offset ?? 0), message)
            }
        }
    }

    // MARK: - Components

    /// A landing page, and the component that excludes it, if any.
    private typealias Unopened = (page: CheckedSite.LandingPage, exclude: AssociationComponent?)

    /// The landing pages that don't open the app.
    private static func unopened(
        _ folder: CheckedSite.Folder,
        _ file: AssociationFile,
        _ site: CheckedSite
    ) -> [Unopened] {
        // A file may be for passwords or an App Clip only.
        let isMeant = !file.entries.isEmpty || site.app.domains.contains { $0.service == "applinks" }
        guard isMeant else { return [] }
        let listed = file.entries.flatMap(\.apps).map(\.id)
        let own = site.app.identity.isKnown ? listed.filter(site.app.identity.matches) : []
        let apps = Set(own.isEmpty ? listed : own)
        return folder.landingPages.compactMap { page in
            let decisions = page.addresses.map { file.decision(on: $0, for: apps)?.component }
            if decisions.contains(where: { $0?.isExclude == false }) { return nil }
            return (page, decisions.compactMap(\.self).first)
        }
    }

    static func unmatched(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.files.flatMap { folder, document, file in
            unopened(folder, file, site).filter { $0.exclude == nil }.map { page, _ in
                let message =
                    "no component of the association file matches this page with its item \(page.item.quoted); add "
                    + #"{"/": "\#(page.paths.last ?? "/")", "?": {"\#(page.item)": "?*"}}"#
                return (page.place, message)
            }
        }
    }

    static func excluded(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.files.flatMap { folder, document, file in
            unopened(folder, file, site).compactMap { page, exclude in
                guard let exclude else { return nil }
                let message =
                    "this excludes the landing page \(page.place.file.quoted); add a component for the page before this"
                return (document.place(at: exclude.offset), message)
            }
        }
    }

    /// How many comparisons of characters may be made, so that no file takes more than seconds. It is enough for hundreds of
    /// components.
    private static let maximumCost = 20_000_000

    static func hidden(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.files.flatMap { _, document, file -> [Rule.SiteProblem] in
            guard document.bytes.count <= maximumSize else { return [] }
            var cost = 0
            var problems: [Rule.SiteProblem] = []
            var positions = TextPositions(document.bytes)
            var earlier: [(apps: Set<String>, isPaths: Bool, component: AssociationComponent, place: SitePlace)] = []
            let variables = [false, true].map { AssociationVariables(file.variables, ignoresCase: $0) }
            for entry in file.entries {
                let apps = Set(entry.apps.map(\.id))
                for component in entry.components where !apps.isEmpty {
                    guard cost <= maximumCost else { return problems }
                    let first = earlier.first { other in
                        cost += 16 + other.component.size * component.size
                        return other.isPaths == entry.isPaths && apps.isSubset(of: other.apps)
                            && other.component.covers(component, variables[component.ignoresCase ? 1 : 0])
                    }
                    let place = positions.place(at: component.offset, in: document.path)
                    if let first {
                        let message =
                            "this never decides, because the one in line \(first.place.line), column \(first.place.column) matches "
                            + "the same addresses; move it up, or remove it"
                        problems.append((place, message))
                    } else {
                        earlier.append((apps, entry.isPaths, component, place))
                    }
                }
            }
            return problems
        }
    }

    static func ignoredPaths(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.files.flatMap { _, document, file in
            file.entries.compactMap(\.ignoredPaths).map { offset in
                (document.place(at: offset), "from iOS 13 on, paths beside components don't count; remove them")
            }
        }
    }
}
