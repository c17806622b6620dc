/// What is counted in a report.
struct ReportScope {
    /// The landing pages; if there are none, every path whose query has the item, and those of the table of links.
    var pages: [[UInt8]] = []
    var linkedPages: Set<[UInt8]> = []
    /// The count address.
    var countPath: [UInt8]?
    /// The query item that names the referrer.
    var item = Array("ref".utf8)
    var from: Day?
    var to: Day?

    func contains(_ day: Day) -> Bool { (from?.number ?? .min) <= day.number && day.number <= (to?.number ?? .max) }
}
