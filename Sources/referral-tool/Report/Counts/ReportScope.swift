/// What is counted in a report.
struct ReportScope {
    /// A path, as somebody names it, and what it has in common with its other forms.
    struct Path {
        let text: String
        let page: [UInt8]

        init(_ text: String) {
            let texts = TextBuffer()
            (self.text, page) = (text, text.withUTF8Bytes { Array(texts.page($0)) })
        }
    }

    /// The landing pages; if there are none, every path whose query has the item, and those of the table of links.
    var pages: [Path] = []
    var linkedPages: Set<[UInt8]> = []
    /// The count address.
    var countPath: Path?
    /// The query item that names the referrer.
    var item = "ref"
    var from: Day?
    var to: Day?

    func contains(_ day: Day) -> Bool { (from ?? day) <= day && day <= (to ?? day) }
}
