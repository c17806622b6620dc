import UnlockCatalog

/// What `links` wrote: CSV, TSV or JSON lines with the columns `referrer` and `link`, and any others.
struct LinksTable {
    /// What is known of the referrers.
    struct Known {
        var names: Set<Name> = []
        /// What people call them.
        var labels: [Name: String] = [:]
        /// The referrers of campaigns, from a column `ct`.
        var campaigns: [Name: String] = [:]
        /// The number of links of each referrer.
        var counts: [Name: Int] = [:]
        var rows = 0
        var rejected = 0

        fileprivate mutating func add(_ referrer: String, label: String, campaign: String) {
            rows += 1
            guard referrer.isName else {
                rejected += 1
                return
            }
            let name = Name(referrer)
            if names.count < NameTable.maximumCount { names.insert(name) }
            counts[name, default: 0] += 1
            if !label.isEmpty, labels[name] == nil { labels[name] = String(label.unicodeScalars.prefix(200)) }
            if !campaign.isEmpty { campaigns[Name(campaign)] = referrer }
        }
    }

    static func isHeader(of bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: ASCII.lineFeed), let table = SourceTable(Array(bytes[..<end])) else {
            return false
        }
        return table.index(of: "referrer") != nil && table.index(of: "link") != nil
    }

    /// Reads a file. `label` is the column with the people's names.
    static func read(_ bytes: [UInt8], label: String?, name: String, into known: inout Known) throws(ToolError) {
        let label = label ?? "name"
        if bytes.first == ASCII.openBrace {
            bytes.withUnsafeBufferPointer { bytes in
                for line in bytes.split(separator: ASCII.lineFeed) {
                    let line = Bytes(rebasing: line)
                    guard !line.allSatisfy(ASCII.isWhiteSpace) else { continue }
                    let members = (try? JSONRow.members(of: line)) ?? []
                    func cell(_ name: String) -> String {
                        members.last { Columns.key($0.name) == Columns.key(Name(name)) }?.value.cell ?? ""
                    }
                    known.add(cell("referrer"), label: cell(label), campaign: cell("ct"))
                }
            }
            return
        }
        guard let table = SourceTable(bytes), let referrer = table.index(of: "referrer") else {
            throw .badData("\(whole: name) isn't a table of links: its first line names no column 'referrer'")
        }
        let (labelColumn, campaign) = (table.index(of: Columns.key(Name(label)).rawValue), table.index(of: "ct"))
        known.rejected += table.forEach { cell in
            known.add(cell(referrer), label: cell(labelColumn), campaign: cell(campaign))
        }
    }
}
