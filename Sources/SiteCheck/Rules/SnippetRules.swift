/// Problems with the snippet on a page.
enum SnippetRules {
    static func missing(_ page: CheckedPage) -> [Rule.Problem] {
        guard let link = page.referrerLinks.first, page.snippets.found.isEmpty else { return [] }
        let count = page.snippets.unreadCount
        let hint = count == 0 ? "" : " (\(count) \(count == 1 ? "script" : "scripts") could not be read)"
        let message =
            "this page has links with a referrer and no snippet\(hint); "
            + "add the output of 'referral-tool snippet --format html'"
        return [(link.element.offset, message)]
    }

    static func unreadable(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.found.compactMap { snippet in
            guard case .unreadable(let path, let problem) = snippet.state else { return nil }
            let message =
                "the snippet can't be read from \(path.quoted): \(problem); add the file or correct the address"
            return (snippet.element.offset, message)
        }
    }

    static func second(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.found.filter { !$0.isUnreadable }.dropFirst().map {
            ($0.element.offset, "this page already has the snippet; remove this one")
        }
    }

    static func sandboxed(_ page: CheckedPage) -> [Rule.Problem] {
        page.page.frames.compactMap { frame in
            guard let sandbox = frame.element["sandbox"], frame.page.links.contains(where: \.hasReferrerAttribute),
                !sandbox.value.asciiLowercased.utf8.split(whereSeparator: \.isHTMLSpace)
                    .contains(where: { $0.elementsEqual("allow-scripts".utf8) })
            else { return nil }
            let message =
                "the snippet can't run in this frame, so its links copy nothing; add allow-scripts to the sandbox"
            return (sandbox.offset, message)
        }
    }

    static func otherVersion(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.found.filter { $0.state == .other }.map { snippet in
            let message =
                "this snippet is not that of version \(page.version), or was changed; "
                + "replace it with the output of 'referral-tool snippet'"
            return (snippet.element.offset, message)
        }
    }
}
