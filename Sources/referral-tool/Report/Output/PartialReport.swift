import UnlockCatalog

/// A report as JSON. The reports of parts can be read again, and their sum is byte for byte the report of the whole.
enum PartialReport {
    /// The first member, whose value is the version.
    static let mark = "referralReport"
    static let version = 1
}

// MARK: - Writing

extension PartialReport {
    static func json(_ tally: Tally) -> String {
        let fates = LineFate.allCases.map { ($0.rawValue, String(tally.count($0))) }
        let sources = SourceKind.allCases.compactMap { kind in tally.sources[kind].map { (kind.rawValue, String($0)) } }
        let days = tally.days.sorted { $0.key < $1.key }.map { day, figures in
            object([("day", string(day.text))] + members(figures))
        }
        return object([
            (mark, String(version)), ("scope", scope(tally.scope)), ("lines", object(fates)),
            ("sources", object(sources)),
            ("notLines", JSONWriter.array(tally.strangeLines.map(string))),
            ("leftOut", object(sorted(tally.leftOut).map { ($0, String($1)) })),
            ("totals", object(members(tally.totals))), ("outcomes", outcomes(tally.outcomes)),
            ("days", "[\n" + days.joined(separator: ",\n") + "\n]"),
            ("referrers", names(tally.referrers, "referrer", tally.labels)),
            ("campaigns", names(tally.campaigns, "campaign", [:])), ("visits", visits(tally.visits)),
        ]) + "\n"
    }

    private static func object(_ members: [(String, String)]) -> String {
        JSONText.object(members.map { (name: $0.0, value: $0.1) })
    }

    private static func string(_ text: String) -> String { JSONText.string(text) }

    private static func sorted<Value>(_ values: [Name: Value]) -> [(String, Value)] {
        values.sorted { $0.key < $1.key }.map { ($0.key.rawValue, $0.value) }
    }

    private static func scope(_ scope: ReportScope) -> String {
        let days = [("from", scope.from), ("to", scope.to), ("compare", scope.comparison)]
        return object(
            [("pages", JSONWriter.array(scope.pages.map(string)))]
                + (scope.countPath.map { [("count", string($0))] } ?? [])
                + [("ref", string(scope.item))] + days.compactMap { name, day in day.map { (name, string($0.text)) } }
        )
    }

    private static func members(_ figures: Figures) -> [(String, String)] {
        let counts = Measure.allCases.filter { figures[$0] != 0 }.map { ($0.name, String(figures[$0])) }
        let events = sorted(figures.events).map { ($0, String($1)) }
        return counts + (events.isEmpty ? [] : [("events", object(events))])
    }

    private static func members(_ figures: PeriodFigures) -> [(String, String)] {
        [("counts", figures.before), ("countsAfter", figures.after)].filter { !$0.1.isEmpty }
            .map { ($0, object(members($1))) }
    }

    private static func names(_ table: NameTable, _ name: String, _ labels: [Name: String]) -> String {
        let groups = NameTable.Group.allCases.filter { !table[$0].isEmpty }.map { group in
            object([("group", string(group.rawValue))] + members(table[group]))
        }
        let entries = table.sorted.map { entry in
            let label = labels[entry.name].map { [("label", string($0))] } ?? []
            return object([(name, string(entry.name.rawValue))] + label + members(entry.figures))
        }
        return "[\n" + (groups + entries).joined(separator: ",\n") + "\n]"
    }

    private static func outcomes(_ outcomes: [Period: [Name: [Name: Int]]]) -> String {
        object(
            Period.allCases.compactMap { period in
                outcomes[period].map { roads in
                    let members = sorted(roads).map { road, counts in
                        (road, object(sorted(counts).map { ($0, String($1)) }))
                    }
                    return (period.rawValue, object(members))
                }
            }
        )
    }

    private static func visits(_ visits: Visits) -> String {
        guard let minutes = visits.minutes else { return "{}" }
        func digest(_ key: Visits.Key) -> String { string(String(key.digest, radix: 16)) }
        let first = visits.first.sorted { $0.key < $1.key }.map { key, first in
            JSONWriter.array([
                digest(key), string(first.subject.measure.name), string(first.subject.referrer),
                string(first.subject.campaign),
                String(first.time), String(first.minutes.lowerBound), String(first.minutes.upperBound),
            ])
        }
        let last = visits.last.sorted { $0.key < $1.key }.map { JSONWriter.array([digest($0), String($1)]) }
        let bounds = [minutes.lowerBound, minutes.upperBound].map(String.init)
        return object([
            ("minutes", JSONWriter.array(bounds)), ("first", JSONWriter.array(first)), ("last", JSONWriter.array(last)),
        ])
    }
}

// MARK: - Reading

extension PartialReport {

    /// The scope of a report, for the command to go on with.
    static func scope(of bytes: [UInt8], name: String) throws(ToolError) -> ReportScope {
        try read(bytes, name) { members throws(JSONError) in try readScope(members["scope"]) }
    }

    /// Adds the counts of a part, which must have the tally's scope.
    static func add(_ bytes: [UInt8], name: String, to tally: inout Tally) throws(ToolError) {
        var part = tally.forNextPart
        try read(bytes, name) { members throws(JSONError) in
            try readCounts(members["lines"]) { name, count in
                guard let fate = LineFate(rawValue: name.rawValue) else { return false }
                part.addLine(fate, count)
                return true
            }
            try readCounts(members["sources"]) { name, count in
                guard let kind = SourceKind(rawValue: name.rawValue) else { return false }
                part.sources[kind, default: 0] &+= count
                return true
            }
            for line in members["notLines"]?.array ?? [] where part.strangeLines.count < Tally.maximumShown {
                guard let line = line.string else { throw .invalid }
                part.strangeLines.append(line)
            }
            try readCounts(members["leftOut"]) { name, count in
                part.leaveOut(name, count)
                return true
            }
            if let totals = members["totals"] { part.add(try readPeriods(totals).figures) }
            for day in members["days"]?.array ?? [] {
                var date: Day?
                let figures = try readFigures(day) { name, value in
                    if name == "day" { date = value.string.flatMap(Day.init) }
                    return name == "day"
                }
                guard let date else { throw .invalid }
                part.add(figures, on: date)
            }
            try add(members["referrers"], "referrer", to: &part.referrers, labels: &part.labels)
            var none: [Name: String] = [:]
            try add(members["campaigns"], "campaign", to: &part.campaigns, labels: &none)
            for period in Period.allCases {
                guard let roads = try object(members["outcomes"])[Name(period.rawValue)] else { continue }
                try roads.readObject { road, counts throws(JSONError) in
                    try readCounts(counts) { outcome, count in
                        part.add(count, road: Name(road.content), outcome: outcome, in: period)
                        return true
                    }
                }
            }
            part.visits = try readVisits(members["visits"])
        }
        tally.add(part)
    }

    private static func read<Value>(
        _ bytes: [UInt8],
        _ name: String,
        _ body: ([Name: JSONValue]) throws(JSONError) -> Value
    ) throws(ToolError) -> Value {
        let result: Result<Value, ToolError> = bytes.withUnsafeBufferPointer { bytes in
            do throws(JSONError) {
                let members = try object(try JSONValue(object: bytes))
                guard let version = members[Name(mark)]?.wholeNumber else {
                    return .failure(.badData("\(whole: name) isn't a report in JSON: it has no member '\(name: mark)'"))
                }
                guard version == Self.version else {
                    let problem: Sentence =
                        "is a report of version \(version), and this command reads version \(Self.version)"
                    return .failure(.badData("\(whole: name) \(problem); make it again with this command"))
                }
                return .success(try body(members))
            } catch {
                return .failure(.badData("\(whole: name) is damaged: it isn't a report as --json writes it"))
            }
        }
        return try result.get()
    }

    private static func object(_ value: JSONValue?) throws(JSONError) -> [Name: JSONValue] {
        guard let value else { return [:] }
        guard value.isObject else { throw .invalid }
        var members: [Name: JSONValue] = [:]
        try value.readObject { name, value throws(JSONError) in members[Name(name.content)] = value }
        return members
    }

    private static func readCounts(
        _ value: JSONValue?,
        _ add: (Name, Int) -> Bool
    ) throws(JSONError) {
        for (name, value) in try object(value) {
            guard let count = value.wholeNumber, add(name, count) else { throw .invalid }
        }
    }

    /// The figures among an object's members. The function reads the others, and returns whether it has.
    private static func readFigures(
        _ value: JSONValue,
        _ other: (Name, JSONValue) -> Bool = { _, _ in false }
    ) throws(JSONError) -> Figures {
        var figures = Figures()
        for (name, value) in try object(value) {
            if let measure = Measure(name: name.rawValue) {
                guard let count = value.wholeNumber else { throw .invalid }
                figures[measure] = count
            } else if name == "events" {
                try readCounts(value) { name, count in
                    figures.add(count, toEvent: name)
                    return true
                }
            } else if !other(name, value) {
                throw .invalid
            }
        }
        return figures
    }

    private static func readPeriods(
        _ value: JSONValue
    ) throws(JSONError) -> (figures: PeriodFigures, others: [Name: JSONValue]) {
        var members = try object(value)
        var figures = PeriodFigures()
        if let counts = members.removeValue(forKey: "counts") { figures.before = try readFigures(counts) }
        if let counts = members.removeValue(forKey: "countsAfter") { figures.after = try readFigures(counts) }
        return (figures, members)
    }

    private static func add(
        _ value: JSONValue?,
        _ name: Name,
        to table: inout NameTable,
        labels: inout [Name: String]
    ) throws(JSONError) {
        guard let value else { return }
        guard let rows = value.array else { throw .invalid }
        for row in rows {
            let (figures, others) = try readPeriods(row)
            if let group = others["group"]?.string {
                guard let group = NameTable.Group(rawValue: group) else { throw .invalid }
                table[NameTable.place(of: group)] += figures
            } else {
                guard let text = others[name]?.string, text.isName else { throw .invalid }
                let place = table.place(of: text)
                table[place] += figures
                if let label = others["label"]?.string { labels[Name(text)] = label }
            }
        }
    }

    private static func readScope(_ value: JSONValue?) throws(JSONError) -> ReportScope {
        let members = try object(value)
        var scope = ReportScope()
        scope.pages = (members["pages"]?.array ?? []).compactMap(\.string)
        scope.countPath = members["count"]?.string
        scope.item = members["ref"]?.string ?? scope.item
        func day(_ name: Name) throws(JSONError) -> Day? {
            guard let value = members[name] else { return nil }
            guard let day = value.string.flatMap(Day.init) else { throw .invalid }
            return day
        }
        scope.from = try day("from")
        scope.to = try day("to")
        scope.comparison = try day("compare")
        return scope
    }

    private static func readVisits(_ value: JSONValue?) throws(JSONError) -> Visits {
        let members = try object(value)
        guard let bounds = members["minutes"] else { return Visits() }
        func number(_ value: JSONValue) throws(JSONError) -> Int {
            guard let number = value.wholeNumber(in: 0...Day.possible.upperBound.number * 86_400 + 86_399) else {
                throw .invalid
            }
            return number
        }
        func range(_ lower: JSONValue, _ upper: JSONValue) throws(JSONError) -> ClosedRange<Int> {
            let (lower, upper) = (try number(lower), try number(upper))
            guard lower <= upper else { throw .invalid }
            return lower...upper
        }
        func key(_ value: JSONValue) throws(JSONError) -> Visits.Key {
            guard let digest = value.string.flatMap({ UInt64($0, radix: 16) }) else { throw .invalid }
            return Visits.Key(digest: digest)
        }
        var first: [Visits.Key: Visits.First] = [:]
        for row in members["first"]?.array ?? [] {
            guard let cells = row.array, cells.count == 7, let measure = cells[1].string.flatMap(Measure.init),
                let referrer = cells[2].string, let campaign = cells[3].string
            else { throw .invalid }
            let subject = Visits.Subject(measure: measure, referrer: referrer, campaign: campaign)
            first[try key(cells[0])] =
                Visits.First(time: try number(cells[4]), subject: subject, minutes: try range(cells[5], cells[6]))
        }
        var last: [Visits.Key: Int] = [:]
        for row in members["last"]?.array ?? [] {
            guard let cells = row.array, cells.count == 2 else { throw .invalid }
            last[try key(cells[0])] = try number(cells[1])
        }
        guard let ends = bounds.array, ends.count == 2 else { throw .invalid }
        return Visits(minutes: try range(ends[0], ends[1]), first: first, last: last)
    }
}
