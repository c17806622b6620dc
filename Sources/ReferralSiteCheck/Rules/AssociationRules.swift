extension Rule {
    /// Problems with a site's association file.
    @RuleList static var associations: [Rule] {
        forSite("no-association", "no association file, although the app or an App Clip needs it", missingAssociation)
        forSite("association-name", "an apple-app-site-association with an extension") { site in
            let message: Sentence =
                "systems look for an association file without an extension; call it apple-app-site-association"
            return site.folders.compactMap(\.misnamed).map {
                SiteProblem(SitePlace(file: $0, line: 1, column: 1), message)
            }
        }
        forSite("association-json", "an association file that is not a JSON object") { site in
            site.associations.compactMap { association in
                guard case .failure(let failure) = association.content else { return nil }
                return SiteProblem(association.document.place(at: failure.offset), failure.message)
            }
        }
        forSite("association-size", "an association file of more than 128 KiB") { site in
            site.associations.map(\.document).filter(\.isTooLarge).map { document in
                let message: Sentence =
                    "this file has \(document.bytes.count) bytes, and systems read at most 131072; use wildcards"
                return SiteProblem(document.place(at: 0), message)
            }
        }
        forSite("association-form", "a member of another form or name than the system's; a note if it changes nothing")
        { site in
            site.associations.flatMap { $0.document.placed($0.members) }
        }
        forAssociation("association-app", "an association file for another team or bundle than the app's", otherApp)
        forAssociation("association-clip", "an App Clip of a page that the association file doesn't list") {
            association,
            site in
            let listed = association.file?.clips
            var known: Set<String> = []
            let banners = association.folder.map(site.banners) ?? []
            return banners.compactMap(\.clip).compactMap { clip in
                var identity = site.app.identity
                identity.bundle = clip
                guard known.insert(clip).inserted, listed?.apps.contains(where: { identity.matches($0.id) }) != true
                else {
                    return nil
                }
                let message: Sentence =
                    "the App Clip \(quoted: clip) of a page's banner is missing; "
                    + "add \(quoted: identity.text) to the apps of appclips"
                return Problem(listed?.offset ?? 0, message)
            }
        }
    }

    @Sendable
    private static func missingAssociation(_ site: CheckedSite) -> [SiteProblem] {
        let lacking = site.folders.filter { $0.association == nil && $0.misnamed == nil }
        let mend: Sentence = "add .well-known/apple-app-site-association to the site, as 'referral-tool site' writes it"
        if !lacking.isEmpty, lacking.count == site.folders.count, site.associations.isEmpty,
            let domain = site.app.domains.first(where: { ["applinks", "appclips"].contains($0.service) })
        {
            let message: Sentence =
                "the app is associated with \(quoted: domain.host), but the site has no association file; \(mend)"
            return [SiteProblem(domain.place, message)]
        }
        return lacking.flatMap(site.banners).filter { $0.clip != nil }.prefix(1).map { banner in
            SiteProblem(banner.place, "this banner has an App Clip, but the site has no association file; \(mend)")
        }
    }

    @Sendable
    private static func otherApp(in association: CheckedSite.Association, _ site: CheckedSite) -> [Problem] {
        let identity = site.app.identity
        let apps = (site.app.isClip ? association.file?.clips?.apps : association.file?.apps) ?? []
        // A placeholder is a separate problem.
        guard identity.isKnown,
            !apps.contains(where: { identity.matches($0.id) || AppFiles.Identity.problem(ofAppID: $0.id) != nil })
        else { return [] }
        // The app with the same bundle or the same team, or the first one.
        let nearest =
            apps.first { AppFiles.Identity($0.id).bundle == identity.bundle }
            ?? apps.first { AppFiles.Identity($0.id).team == identity.team } ?? apps.first
        guard let nearest else {
            let list = site.app.isClip ? "appclips" : "applinks"
            return [Problem(0, "this file lists no app in \(name: list); add \(quoted: identity.text)")]
        }
        let message: Sentence =
            "\(quoted: nearest.id) is another app than the one of the given files; write \(quoted: identity.text)"
        return [Problem(nearest.offset, message)]
    }
}
