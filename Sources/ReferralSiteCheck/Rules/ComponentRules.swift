extension Rule {
    /// Problems with the components of a site's association file: which pages open the app.
    @RuleList static var components: [Rule] {
        forSite("unmatched-page", "a landing page that no component matches") { site in
            let pages = site.associations.filter(\.isWellFormed).flatMap { unopened($0, site) }
            return pages.filter { $0.exclude == nil }.map { page, _ in
                let path = page.paths.last ?? "/"
                let message: Sentence =
                    page.isPath
                    ? #"no component of the association file matches this page; add {"/": "\#(whole: path)"}"#
                    : "no component of the association file matches this page with its item \(quoted: page.from); add "
                        + #"{"/": "\#(whole: path)", "?": {"\#(whole: page.from)": "?*"}}"#
                return SiteProblem(page.place, message)
            }
        }
        forAssociation("excluded-page", "a component that excludes a landing page") { association, site in
            unopened(association, site).compactMap { page, exclude in
                guard let exclude, exclude.optionalItem == nil else { return nil }
                let message: Sentence =
                    "this excludes the landing page \(quoted: page.place.file); add a component for the page before this"
                return Problem(exclude.offset, message)
            }
        }
        forAssociation("missing-item", "a component that excludes addresses without an item, which * matches, too") {
            association,
            _ in
            (association.file?.entries ?? []).flatMap(\.components).compactMap { component in
                guard component.isExclude, let item = component.optionalItem else { return nil }
                let message: Sentence =
                    "* also matches a missing item, so this excludes addresses without \(quoted: item), too; write ?*"
                return Problem(component.offset, message)
            }
        }
    }

    /// The landing pages that don't open the app, and the components that exclude them, if any.
    private static func unopened(
        _ association: CheckedSite.Association,
        _ site: CheckedSite
    ) -> [(page: CheckedSite.ReferrerPage, exclude: AssociationComponent?)] {
        // A file may be for passwords or an App Clip only.
        guard let file = association.file,
            !file.entries.isEmpty || site.app.domains.contains(where: { $0.service == "applinks" })
        else { return [] }
        let apps = site.apps(of: file)
        return site.landingPages(of: association).compactMap { page in
            let decisions = page.addresses.map { file.decision(on: $0, for: apps)?.component }
            if decisions.contains(where: { $0?.isExclude == false }) { return nil }
            return (page, decisions.compactMap(\.self).first)
        }
    }
}
