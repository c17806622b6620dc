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

    /// How many comparisons of characters may be made, so that no file takes more than seconds. It is enough for hundreds of
    /// components.
    private static let maximumCost = 20_000_000

    /// A component that may decide before later ones.
    private struct Earlier {
        let apps: Set<String>
        let isPaths: Bool
        let component: AssociationComponent
        let place: SitePlace
    }

    private static func hidden(_ readable: CheckedSite.ReadableFile) -> [SiteProblem] {
        var cost = 0
        var problems: [SiteProblem] = []
        var positions = TextPositions(readable.document.bytes)
        var earlier: [Earlier] = []
        let variables = readable.file.variablesByCase
        for entry in readable.file.entries {
            let apps = Set(entry.apps.map(\.id))
            for component in entry.components where !apps.isEmpty {
                guard cost <= maximumCost else { return problems }
                let first = earlier.first { other in
                    cost += 16 + other.component.size * component.size
                    return other.isPaths == entry.isPaths && apps.isSubset(of: other.apps)
                        && other.component.covers(component, variables(component.ignoresCase))
                }
                let place = positions.place(at: component.offset, in: readable.document.path)
                guard let first else {
                    earlier.append(Earlier(apps: apps, isPaths: entry.isPaths, component: component, place: place))
                    continue
                }
                // One with the same effect changes nothing, and a * that excludes too much is a separate problem.
                guard first.component.isExclude != component.isExclude,
                    !first.component.isExclude || first.component.optionalItem == nil
                else { continue }
                let effect: Sentence = first.component.isExclude ? "excludes" : "opens the app for"
                let message: Sentence =
                    "this never decides, because the one in line \(first.place.line), column \(first.place.column) "
                    + "\(effect) the same addresses; move it up, or remove it"
                problems.append(SiteProblem(place, message))
            }
        }
        return problems
    }

    /// Systems before iOS 13 read the paths, so both may be there. Their effects may differ by the query only, which paths
    /// don't have.
    private static func ignoredPaths(_ readable: CheckedSite.ReadableFile) -> [SiteProblem] {
        let variables = readable.file.variablesByCase
        var cost = 0
        let paths = readable.file.entries.flatMap { entry in
            entry.ignoredPaths.filter { path in
                let covering = entry.components.filter { component in
                    cost += 16 + component.size * path.size
                    guard cost <= maximumCost else { return false }
                    let text = path.path.map {
                        AssociationComponent.Path($0.text, ignoringCase: component.ignoresCase)
                    }
                    return component.covers(path: text, variables(component.ignoresCase))
                }
                let opens = covering.contains { !$0.isExclude }
                guard cost <= maximumCost else { return false }
                return path.isExclude ? opens && !covering.contains(where: \.isExclude) : !opens
            }
        }
        let message: Sentence =
            "from iOS 13 on, paths beside components don't count, and no component does the same; "
            + "add one, or remove this path"
        return readable.document.placed(paths.map { Problem($0.offset, message) })
    }
}
