/// Problems with the snippet on a page.
enum SnippetRules {
    static func missing(_ page: CheckedPage) -> [Rule.Problem] {
        guard let link = page.referrerLinks.first, page.snippets.found.isEmpty, page.snippets.inert.isEmpty else {
            return []
        }
        let count = page.snippets.unreadCount
        let hint: Sentence = count == 0 ? "" : " (\(count) \(count == 1 ? "script" : "scripts") could not be read)"
        let message: Sentence =
            "this page has links with a referrer and no snippet\(hint); "
            + "add the output of 'referral-tool snippet --format html'"
        return [(link.element.offset, message)]
    }

    static func unreadable(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.found.compactMap { snippet in
            guard case .unreadable(let path, let problem) = snippet.state,
                PlaceholderRules.placeholder(inAddressOf: snippet.element, page) == nil
            else { return nil }
            let message: Sentence =
                "the snippet can't be read from \(quoted: path): \(problem); add the file or correct the address"
            return (snippet.element.offset, message)
        }
    }

    static func second(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.found.filter { !$0.isUnreadable }.dropFirst().map {
            ($0.element.offset, "this page already has the snippet, so this one does nothing; remove it")
        }
    }

    static func inert(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.inert.map { element in
            let type = element["type"]?.value ?? ""
            let message: Sentence =
                "a browser doesn't run this snippet, because of its type \(quoted: type), so its links copy nothing; "
                + "remove the type, also from a consent manager's settings"
            return (element.offset, message)
        }
    }

    static func sandboxed(_ page: CheckedPage) -> [Rule.Problem] {
        let frames = page.page.frames.map { ($0.element, $0.links) } + page.snippets.frames
        return frames.compactMap { element, links in
            guard let sandbox = element["sandbox"] else { return nil }
            return links.problem(in: sandbox.value).map { (sandbox.offset, $0) }
        }
    }

    static func missingParts(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.missingParts.compactMap { element, problem in
            guard PlaceholderRules.placeholder(inAddressOf: element, page) == nil else { return nil }
            let address = element["src"]?.value.trimmed ?? ""
            let message: Sentence =
                "\(quoted: address) was not checked: \(problem); correct the address, or add the file"
            return (element.offset, message)
        }
    }

    static func otherVersion(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.found.filter { $0.state == .other }.map { snippet in
            let message: Sentence =
                "this snippet lacks parts of version \(name: page.version)'s: it is another version, or was changed; "
                + "replace it with the output of 'referral-tool snippet'"
            return (snippet.element.offset, message)
        }
    }
}
