import UnlockCatalog

/// What is counted in a report.
struct ReportScope: Sendable {
    /// A path, as somebody names it, and what it has in common with its other forms.
    struct Path: Sendable {
        let text: String
        let page: [UInt8]

        init(_ text: String) {
            self.text = text
            page = text.withUTF8Bytes { LogRequest.page($0) }
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

    func contains(_ day: Day) -> Bool { (from.map { $0 <= day } ?? true) && (to.map { day <= $0 } ?? true) }
}

/// The figures of everything, and of each referrer, campaign and day.
struct CampaignCounts {
    var referrers = NameTable()
    var campaigns = NameTable()
    private(set) var days: [Day: Figures] = [:]
    private(set) var totals = Figures()

    /// Changes the figures of everything that a row or a request is of. The first place of a table is that of no name.
    mutating func change(on day: Day?, _ referrer: Int, campaign: Int = 0, _ change: (inout Figures) -> Void) {
        change(&referrers[referrer])
        change(&campaigns[campaign])
        change(&totals)
        if let day { change(&days[day, default: Figures()]) }
    }

    mutating func add(_ other: CampaignCounts) {
        referrers.add(other.referrers)
        campaigns.add(other.campaigns)
        totals += other.totals
        for (day, figures) in other.days { days[day, default: Figures()] += figures }
    }
}

/// The counts of a report. It contains no address of a client.
struct Tally {
    /// The number of lines that are shown because they can't be read.
    static let maximumShown = 3

    enum Source: String, CaseIterable {
        case log, counts, links
    }

    var scope = ReportScope()
    var counts = CampaignCounts()
    /// How the app's checks ended, by road.
    private(set) var outcomes: [Name: Figures] = [:]
    /// The number of lines of each fate.
    private(set) var fates = [Int](repeating: 0, count: LineFate.allCases.count)
    /// The number of requests, exports and rows.
    var sources: [Source: Int] = [:]
    /// The first lines that can't be read, without addresses.
    private(set) var strangeLines: [String] = []
    /// Rows of files that aren't counted, with the reason.
    private(set) var leftOut: [Name: Int] = [:]
    /// What the reader of the figures must know.
    private(set) var notes: [String] = []
    /// The people's names.
    var labels: [Name: String] = [:]

    private var visits = Visits()
    /// The facts of the current log, and its visits without an agent: people's, if no line of the log has one.
    private var facts = LogFacts()
    private var agentless = CampaignCounts()
    private var agentlessLines = 0
    private var allFacts = LogFacts()

    func count(_ fate: LineFate) -> Int { fates[fate.rawValue] }

    var lineCount: Int { fates.reduce(0, &+) }

    mutating func leaveOut(_ reason: Name, _ count: Int = 1) { leftOut[reason, default: 0] &+= count }

    mutating func add(_ count: Int, road: Name, outcome: Name) {
        let isKept = outcomes[road] != nil || outcomes.count < Figures.maximumNames
        outcomes[isKept ? road : Figures.other, default: Figures()].add(count, toEvent: outcome)
    }

    mutating func add(_ links: LinksTable) {
        (labels, scope.linkedPages, sources[.links]) = (links.labels, links.pages, links.rows)
        if links.rejected > 0 { leaveOut("rows of a table of links without a referrer", links.rejected) }
        for (name, count) in links.counts {
            let place = counts.referrers.place(of: name.rawValue, isKnown: true)
            counts.change(on: nil, place) { $0[.made] &+= count }
        }
    }

    // MARK: Logs

    /// Adds a part of a log. The parts come in their order.
    mutating func add(_ batch: LogBatch) {
        for (index, count) in batch.fates.enumerated() { fates[index] &+= count }
        strangeLines += batch.strangeLines.prefix(Self.maximumShown - strangeLines.count)
        facts.add(batch.facts)
        for event in batch.events {
            if event.hasAgent {
                Self.add(event, to: &counts, &visits)
                fates[LineFate.counted.rawValue] += 1
            } else if facts.hasAgents {
                fates[LineFate.robots.rawValue] += 1
            } else {
                Self.add(event, to: &agentless, &visits)
                agentlessLines += 1
            }
        }
    }

    private static func add(_ event: LogEvent, to counts: inout CampaignCounts, _ visits: inout Visits) {
        let day = Day(ofSecond: event.time)
        func add(_ measure: Measure) {
            if var key = event.visit {
                key.mix(UInt64(measure.rawValue))
                guard visits.begins(key, at: event.time) else { return }
            }
            let referrer = counts.referrers.place(of: event.referrer.name, event.referrer.digest)
            let campaign = event.campaign.map { counts.campaigns.place(of: $0.name, $0.digest) } ?? 0
            counts.change(on: day, referrer, campaign: campaign) { $0[measure] &+= 1 }
        }
        if event.measure == .copied { add(.tapped) }
        add(event.measure)
    }

    /// Ends a log. Throws if no line of it can be read.
    mutating func endLog(_ name: String, firstLine: String?) throws(ToolError) {
        if facts.requests == 0, let firstLine {
            throw .badData(
                "\(whole: name) isn't an access log that can be read: its first line is \(quoted: firstLine)"
            )
        }
        if facts.hasAgents {
            fates[LineFate.robots.rawValue] += agentlessLines
        } else {
            counts.add(agentless)
            fates[LineFate.counted.rawValue] += agentlessLines
        }
        sources[.log, default: 0] += facts.requests
        notes += facts.notes.map { "\(name.shown(upTo: .max)): \($0)" }
        allFacts.add(facts)
        (facts, agentless, agentlessLines) = (LogFacts(), CampaignCounts(), 0)
    }

    /// Ends the counting with the notes on all files.
    mutating func finish() {
        if sources[.log] != nil { notes += allFacts.notes(on: scope) }
        if visits.isFull {
            let limit = Progress.grouped(Visits.maximumCount)
            notes.append(
                "more than \(limit) visits within half an hour: the oldest are forgotten, and count again if they continue"
            )
        }
        var first: [String: String] = [:]
        for entry in counts.referrers.sorted where entry.group == nil && entry.name.isName {
            let key = entry.name.lowercased().filter { !$0.isWhitespace }
            guard let other = first.updateValue(entry.name, forKey: key) else { continue }
            notes.append(
                "\(other.quoted) and \(entry.name.quoted) differ only by letter case, white space or composition"
            )
            if notes.count > 50 { break }
        }
    }
}
