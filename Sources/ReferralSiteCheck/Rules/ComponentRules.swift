/// Problems with the components of a site's association file: which pages open the app.
enum ComponentRules {
    /// A landing page, and the component that excludes it, if any.
    private typealias Unopened = (page: CheckedSite.ReferrerPage, exclude: AssociationComponent?)

    /// The landing pages that don't open the app.
    private static func unopened(
        _ folder: CheckedSite.Folder,
        _ file: AssociationFile,
        _ site: CheckedSite
    ) -> [Unopened] {
        // A file may be for passwords or an App Clip only.
        let isMeant = !file.entries.isEmpty || site.app.domains.contains { $0.service == "applinks" }
        guard isMeant else { return [] }
        let apps = site.apps(of: file)
        return folder.landingPages.compactMap { page in
            let decisions = page.addresses.map { file.decision(on: $0, for: apps)?.component }
            if decisions.contains(where: { $0?.isExclude == false }) { return nil }
            return (page, decisions.compactMap(\.self).first)
        }
    }

    static func unmatched(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.wellFormedFiles.flatMap { readable in
            unopened(readable.folder, readable.file, site).filter { $0.exclude == nil }.map { page, _ in
                let message: Sentence =
                    "no component of the association file matches this page with its item \(quoted: page.item); add "
                    + #"{"/": "\#(whole: page.paths.last ?? "/")", "?": {"\#(whole: page.item)": "?*"}}"#
                return (page.place, message)
            }
        }
    }

    static func excluded(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.wellFormedFiles.flatMap { readable in
            readable.document.placed(
                unopened(readable.folder, readable.file, site).compactMap { page, exclude in
                    guard let exclude, exclude.optionalItem == nil else { return nil }
                    let message: Sentence =
                        "this excludes the landing page \(quoted: page.place.file); add a component for the page before this"
                    return (exclude.offset, message)
                }
            )
        }
    }

    /// A `*` for an item of an address has no effect, and excludes more than somebody meant.
    static func missingItem(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.wellFormedFiles.flatMap { readable in
            readable.document.placed(
                readable.file.entries.flatMap(\.components).compactMap { component in
                    guard component.isExclude, let item = component.optionalItem else { return nil }
                    let message: Sentence =
                        "* also matches a missing item, so this excludes addresses without \(quoted: item), too; write ?*"
                    return (component.offset, message)
                }
            )
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

    static func hidden(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.wellFormedFiles.flatMap { readable -> [Rule.SiteProblem] in
            guard readable.document.bytes.count <= AssociationRules.maximumSize else { return [] }
            var cost = 0
            var problems: [Rule.SiteProblem] = []
            var positions = TextPositions(readable.document.bytes)
            var earlier: [Earlier] = []
            let variables = [false, true].map { AssociationVariables(readable.file.variables, ignoresCase: $0) }
            for entry in readable.file.entries {
                let apps = Set(entry.apps.map(\.id))
                for component in entry.components where !apps.isEmpty {
                    guard cost <= maximumCost else { return problems }
                    let first = earlier.first { other in
                        cost += 16 + other.component.size * component.size
                        return other.isPaths == entry.isPaths && apps.isSubset(of: other.apps)
                            && other.component.covers(component, variables[component.ignoresCase ? 1 : 0])
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
                    problems.append((place, message))
                }
            }
            return problems
        }
    }

    /// Systems before iOS 13 read the paths, so both may be there. Their effects may differ by the query only, which paths
    /// don't have.
    static func ignoredPaths(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.wellFormedFiles.flatMap { readable -> [Rule.SiteProblem] in
            guard readable.document.bytes.count <= AssociationRules.maximumSize else { return [] }
            let variables = [false, true].map { AssociationVariables(readable.file.variables, ignoresCase: $0) }
            var cost = 0
            let paths = readable.file.entries.flatMap { entry in
                entry.ignoredPaths.filter { path in
                    let covering = entry.components.filter { component in
                        cost += 16 + component.size * path.size
                        guard cost <= maximumCost else { return false }
                        let isFolded = component.ignoresCase
                        let text = path.path.map { AssociationComponent.Path($0.text, ignoringCase: isFolded) }
                        return component.covers(path: text, variables[isFolded ? 1 : 0])
                    }
                    let opens = covering.contains { !$0.isExclude }
                    guard cost <= maximumCost else { return false }
                    return path.isExclude ? opens && !covering.contains(where: \.isExclude) : !opens
                }
            }
            let message: Sentence =
                "from iOS 13 on, paths beside components don't count, and no component does the same; "
                + "add one, or remove this path"
            return readable.document.placed(paths.map { ($0.offset, message) })
        }
    }
}
