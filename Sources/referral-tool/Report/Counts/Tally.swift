import UnlockCatalog

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
}

/// The counts of a report. It contains no address of a client.
struct Tally {
    /// The number of lines that are shown because they can't be read.
    static let maximumShown = 3
    private static let maximumNotes = 50

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
    private(set) var sources: [Source: Int] = [:]
    /// The first lines that can't be read, without addresses.
    private(set) var strangeLines: [String] = []
    /// Rows of files that aren't counted, with the reason.
    private(set) var leftOut: [Name: Int] = [:]
    /// What the reader of the figures must know.
    private(set) var notes: [String] = []
    /// The people's names.
    private(set) var labels: [Name: String] = [:]

    private var visits = Visits()
    private var facts = LogFacts()
    private var missed = MissedRequests()
    /// The counts before a log in which no line has had an agent yet, and the number of its requests that count so far.
    private var beforeLog: (counts: CampaignCounts, requests: Int)?

    func count(_ fate: LineFate) -> Int { fates[fate.rawValue] }

    var lineCount: Int { fates.reduce(0, &+) }

    mutating func leaveOut(_ reason: Name, _ count: Int = 1) {
        if count > 0 { leftOut[reason, default: 0] &+= count }
    }

    mutating func add(_ source: Source, _ count: Int) { sources[source, default: 0] &+= count }

    mutating func add(_ count: Int, road: Name, outcome: Name) {
        let isKept = outcomes[road] != nil || outcomes.count < Figures.maximumNames
        outcomes[isKept ? road : Figures.other, default: Figures()].add(count, toEvent: outcome)
    }

    mutating func add(_ links: LinksTable) {
        (labels, scope.linkedPages) = (links.labels, links.pages)
        add(.links, links.rows)
        leaveOut("rows of a table of links without a referrer", links.rejected)
        for (name, count) in links.counts {
            let place = name.rawValue.withUTF8Bytes { counts.referrers.place(of: $0, isKnown: true) }
            counts.change(on: nil, place) { $0[.made] &+= count }
        }
    }

    // MARK: Logs

    /// Adds a part of a log. The parts come in their order.
    mutating func add(_ batch: LogBatch) {
        if facts.requests == 0 { beforeLog = (counts, 0) }
        facts.add(batch)
        if facts.hasAgents, let (before, requests) = beforeLog {
            // The visits without an agent are those of robots.
            (counts, beforeLog) = (before, nil)
            fates[LineFate.counted.rawValue] -= requests
            fates[LineFate.robots.rawValue] += requests
        }
        for (index, count) in batch.fates.enumerated() { fates[index] &+= count }
        strangeLines += batch.strangeLines.prefix(Self.maximumShown - strangeLines.count)
        missed.add(batch)
        for event in batch.events {
            if event.hasAgent || beforeLog != nil {
                count(event)
            } else {
                fates[LineFate.robots.rawValue] += 1
            }
        }
    }

    private mutating func count(_ event: LogEvent) {
        fates[LineFate.counted.rawValue] += 1
        beforeLog?.requests += 1
        facts.addClient(event.client)
        if event.measure == .copied { count(event, as: .tapped) }
        count(event, as: event.measure)
    }

    private mutating func count(_ event: LogEvent, as measure: Measure) {
        if event.client != nil {
            var visit = event.visit
            visit.mix(UInt64(measure.rawValue))
            guard visits.begins(visit, at: event.time) else { return }
        }
        let referrer = counts.referrers.place(of: event.referrer)
        let campaign = event.campaign.map { counts.campaigns.place(of: $0) } ?? 0
        counts.change(on: Day(ofSecond: event.time), referrer, campaign: campaign) { $0[measure] &+= 1 }
    }

    /// Ends a log. Throws if no line of it can be read.
    mutating func endLog(_ name: String, firstLine: ArraySlice<UInt8>) throws(ToolError) {
        guard facts.requests > 0 || firstLine.first == ASCII.hash else {
            throw .badData(
                "\(whole: name) isn't an access log that can be read: its first line is \(quoted: LogLine.shown(firstLine))"
            )
        }
        add(.log, facts.requests)
        notes += facts.notes.map { "\(name.shown(upTo: .max)): \($0)" }
        (facts, beforeLog) = (LogFacts(), nil)
    }

    /// Ends the counting with the notes on all files.
    mutating func finish() {
        if sources[.log] != nil { notes += missed.notes(on: scope) }
        if visits.isFull {
            let limit = Progress.grouped(Visits.maximumCount)
            notes.append(
                "more than \(limit) visits within half an hour: the oldest are forgotten, and count again if they continue"
            )
        }
        var names: [String: String] = [:]
        for entry in counts.referrers.sorted where entry.group == nil && notes.count < Self.maximumNotes {
            let key = entry.name.lowercased().filter { !$0.isWhitespace }
            guard let other = names.updateValue(entry.name, forKey: key) else { continue }
            notes.append(
                "\(other.quoted) and \(entry.name.quoted) differ only by letter case, white space or composition"
            )
        }
    }
}
