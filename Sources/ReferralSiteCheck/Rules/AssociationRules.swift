extension Rule {
    /// Problems with a site's association file.
    static let associations = [
        forSite(
            "no-association",
            "no association file, although the app or an App Clip needs it",
            missingAssociation
        ),
        forSite("association-name", "an apple-app-site-association with an extension") { site in
            site.folders.compactMap(\.folder.misnamed).map { path in
                let message: Sentence =
                    "systems look for an association file without an extension; call it apple-app-site-association"
                return SiteProblem(SitePlace(file: path, line: 1, column: 1), message)
            }
        },
        forSite("association-place", "a note: an association file in public or static, and what is in it") { site in
            site.files.compactMap { readable in
                guard let source = readable.folder.folder.source else { return nil }
                let apps = readable.file.allApps.map(\.id).joined(separator: ", ")
                let count = readable.file.entries.reduce(0) { $0 + $1.components.count }
                let message: Sentence =
                    "checked as the file of the site, since most build tools copy \(quoted: source) to the site's root; "
                    + "it is for " + (apps.isEmpty ? "no app" : "\(quoted: apps)")
                    + ", with \(count) \(count == 1 ? "component" : "components")"
                return SiteProblem(readable.document.place(at: 0), message, isNote: true)
            }
        },
        forSite("association-json", "an association file that is not a JSON object") { site in
            site.folders.compactMap(\.association).compactMap { association in
                guard case .failure(let failure) = association.content else { return nil }
                return SiteProblem(association.document.place(at: failure.offset), failure.message)
            }
        },
        forSite("association-size", "an association file of more than 128 KiB") { site in
            site.folders.compactMap(\.association?.document).filter(\.isTooLarge).map { document in
                let message: Sentence =
                    "this file has \(document.bytes.count) bytes, and systems read at most 131072; use wildcards"
                return SiteProblem(document.place(at: 0), message)
            }
        },
        forSite("association-form", "a member of another form or name than the system's; a note if it changes nothing")
        { site in
            site.folders.compactMap(\.association).flatMap { $0.document.placed($0.members) }
        },
        forSite("association-app", "an association file for another team or bundle than the app's") { site in
            site.wellFormedFiles.compactMap { readable in otherApp(in: readable, site) }
        },
        forSite("association-clip", "an App Clip of a page that the association file doesn't list") { site in
            site.wellFormedFiles.flatMap { readable in
                var known: Set<String> = []
                return readable.folder.banners.compactMap(\.clip).compactMap { clip -> SiteProblem? in
                    var identity = site.app.identity
                    identity.bundle = clip
                    guard known.insert(clip).inserted,
                        readable.file.clips?.apps.contains(where: { identity.matches($0.id) }) != true
                    else { return nil }
                    let message: Sentence =
                        "the App Clip \(quoted: clip) of a page's banner is missing; "
                        + "add \(quoted: identity.text) to the apps of appclips"
                    return SiteProblem(readable.document.place(at: readable.file.clips?.offset ?? 0), message)
                }
            }
        },
    ]

    @Sendable
    private static func missingAssociation(_ site: CheckedSite) -> [SiteProblem] {
        let lacking = site.folders.filter {
            $0.association == nil && $0.folder.association == nil && $0.folder.misnamed == nil
        }
        let mend: Sentence = "add .well-known/apple-app-site-association to the site, as 'referral-tool site' writes it"
        if !lacking.isEmpty, lacking.count == site.folders.count,
            let domain = site.app.domains.first(where: { ["applinks", "appclips"].contains($0.service) })
        {
            let message: Sentence =
                "the app is associated with \(quoted: domain.host), but the site has no association file; \(mend)"
            return [SiteProblem(domain.place, message)]
        }
        return lacking.flatMap(\.banners).filter { $0.clip != nil }.prefix(1).map { banner in
            SiteProblem(banner.place, "this banner has an App Clip, but the site has no association file; \(mend)")
        }
    }

    private static func otherApp(in readable: CheckedSite.ReadableFile, _ site: CheckedSite) -> SiteProblem? {
        let identity = site.app.identity
        let apps = site.app.isClip ? readable.file.clips?.apps ?? [] : readable.file.apps
        // A placeholder is a separate problem.
        guard identity.isKnown,
            !apps.contains(where: { identity.matches($0.id) || AppFiles.Identity.problem(ofAppID: $0.id) != nil })
        else { return nil }
        // The app with the same bundle or the same team, or the first one.
        let nearest =
            apps.first { AppFiles.Identity($0.id).bundle == identity.bundle }
            ?? apps.first { AppFiles.Identity($0.id).team == identity.team } ?? apps.first
        guard let nearest else {
            let list = site.app.isClip ? "appclips" : "applinks"
            let message: Sentence = "this file lists no app in \(name: list); add \(quoted: identity.text)"
            return SiteProblem(readable.document.place(at: 0), message)
        }
        let message: Sentence =
            "\(quoted: nearest.id) is another app than the one of the given files; write \(quoted: identity.text)"
        return SiteProblem(readable.document.place(at: nearest.offset), message)
    }
}
