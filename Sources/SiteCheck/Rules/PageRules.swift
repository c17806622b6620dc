/// Problems with a page as a whole.
enum PageRules {
    static func unclosed(_ page: CheckedPage) -> [Rule.Problem] {
        let message = "this is never closed, so it includes the rest of the page; close it"
        return page.page.unclosed.map { [Rule.Problem($0, message)] } ?? []
    }
}
