/// What is wrong with a page as a whole.
enum PageRules {
    static func unclosed(_ page: CheckedPage) -> [Rule.Problem] {
        page.page.unclosed.map { start in
            let message = "nothing closes what begins here, so the rest of the page is a part of it; close it"
            return [Rule.Problem(offset: start, message: message)]
        } ?? []
    }
}
