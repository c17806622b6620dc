extension Rule {
    /// Problems with the components of a site's association file: which pages open the app.
    static let components = [
        forSite("unmatched-page", "a landing page that no component matches") { site in
            site.wellFormedFiles.flatMap { readable in
                unopened(readable, site).filter { $0.exclude == nil }.map { page, _ in
                    let message: Sentence =
                        "no component of the association file matches this page with its item \(quoted: page.item); add "
                        + #"{"/": "\#(whole: page.paths.last ?? "/")", "?": {"\#(whole: page.item)": "?*"}}"#
                    return SiteProblem(page.place, message)
                }
            }
        },
        forSite("excluded-page", "a component that excludes a landing page") { site in
            site.wellFormedFiles.flatMap { readable in
                readable.document.placed(
                    unopened(readable, site).compactMap { page, exclude in
                        guard let exclude, exclude.optionalItem == nil else { return nil }
                        let message: Sentence =
                            "this excludes the landing page \(quoted: page.place.file); add a component for the page before this"
                        return Problem(exclude.offset, message)
                    }
                )
            }
        },
        forSite("missing-item", "a component that excludes addresses without an item, which * matches, too") { site in
            site.wellFormedFiles.flatMap { readable in
                readable.document.placed(
                    readable.file.entries.flatMap(\.components).compactMap { component in
                        guard component.isExclude, let item = component.optionalItem else { return nil }
                        let message: Sentence =
                            "* also matches a missing item, so this excludes addresses without \(quoted: item), too; write ?*"
                        return Problem(component.offset, message)
                    }
                )
            }
        },
        forSite("hidden-component", "a component that never decides, because an earlier one decides the opposite") {
            site in
            site.wellFormedFiles.filter { !$0.document.isTooLarge }.flatMap(hidden)
        },
        forSite("ignored-paths", "paths beside components, which don't count and which no component repeats") { site in
            site.wellFormedFiles.filter { !$0.document.isTooLarge }.flatMap(ignoredPaths)
        },
    ]

    /// The landing pages that don't open the app, and the components that exclude them, if any.
    private static func unopened(
        _ readable: CheckedSite.ReadableFile,
        _ site: CheckedSite
    ) -> [(page: CheckedSite.ReferrerPage, exclude: AssociationComponent?)] {
        // A file may be for passwords or an App Clip only.
        guard !readable.file.entries.isEmpty || site.app.domains.contains(where: { $0.service == "applinks" }) else {
            return []
        }
        let apps = site.apps(of: readable.file)
        return readable.folder.landingPages.compactMap { page in
            let decisions = page.addresses.map { readable.file.decision(on: $0, for: apps)?.component }
            if decisions.contains(where: { $0?.isExclude == false }) { return nil }
            return (page, decisions.compactMap(\.self).first)
        }
    }

    /// How many components of a file are compared with each other, so that no file takes more than seconds.
    private static let maximumComponents = 500

    private static func hidden(_ readable: CheckedSite.ReadableFile) -> [SiteProblem] {
        let all = readable.file.entries.flatMap { entry in entry.components.map { (entry: entry, component: $0) } }
            .filter { !$0.entry.apps.isEmpty }.prefix(maximumComponents)
        return readable.document.placed(
            all.indices.compactMap { index in
                let (entry, component) = all[index]
                let apps = Set(entry.apps.map(\.id))
                let before = all[..<index].filter {
                    $0.entry.isPaths == entry.isPaths && apps.isSubset(of: $0.entry.apps.map(\.id))
                }
                // One with the same effect changes nothing, and a * that excludes too much is a separate problem.
                guard let first = readable.file.covering(component, before.map(\.component)).first,
                    first.isExclude != component.isExclude, !first.isExclude || first.optionalItem == nil
                else { return nil }
                let place = readable.document.place(at: first.offset)
                let message: Sentence =
                    "this never decides, because the one in line \(place.line), column \(place.column) "
                    + (first.isExclude ? "excludes" : "opens the app for")
                    + " the same addresses; move it up, or remove it"
                return Problem(component.offset, message)
            }
        )
    }

    /// Systems before iOS 13 read the paths, so both may be there. Their effects may differ by the query only, which paths
    /// don't have.
    private static func ignoredPaths(_ readable: CheckedSite.ReadableFile) -> [SiteProblem] {
        let paths = readable.file.entries.flatMap { entry in
            entry.ignoredPaths.prefix(maximumComponents).filter { path in
                let components = Array(entry.components.prefix(maximumComponents))
                let covering = readable.file.covering(path, components, pathOnly: true)
                let opens = covering.contains { !$0.isExclude }
                return path.isExclude ? opens && !covering.contains(where: \.isExclude) : !opens
            }
        }
        let message: Sentence =
            "from iOS 13 on, paths beside components don't count, and no component does the same; "
            + "add one, or remove this path"
        return readable.document.placed(paths.map { Problem($0.offset, message) })
    }
}
