import ReferralInvitations
import UnlockCatalog

/// The records of a guestbook: the answer of `xcrun cktool query-records`, a list of such records, or one record per line.
enum GuestbookFile {
    /// What is read of a record.
    private struct Entry {
        var name = ""
        var creator: String?
        var program = ""
        var referrer = ""
        var format = GuestbookRecord.currentFormat
        var day: Day?
    }

    static func count(_ bytes: [UInt8], name: String, in tally: inout Tally) throws(ToolError) {
        var records: [Entry]?
        bytes.withUnsafeBufferPointer { bytes in
            records = document(bytes) ?? lines(bytes)
        }
        guard let records else { throw .badData("\(whole: name) has no records of a guestbook") }
        var known: Set<Name> = []
        for record in records {
            guard let day = record.day else {
                tally.leaveOut("records of a guestbook without a day that can be read")
                continue
            }
            guard tally.scope.contains(day) else {
                tally.leaveOut("rows on other days")
                continue
            }
            guard known.insert(Name(record.name)).inserted else {
                tally.leaveOut("records of a guestbook that are there twice")
                continue
            }
            tally.sources[.guestbook, default: 0] += 1
            let place = tally.referrers.place(of: record.referrer)
            tally.add(1, to: .entries, on: day, place)
            let isGenuine = record.creator.map { creator in
                let name = GuestbookRecord.name(creator: creator, program: record.program)
                return record.format == GuestbookRecord.currentFormat && name.utf8.elementsEqual(record.name.utf8)
            }
            if isGenuine == true { tally.add(1, to: .genuineEntries, on: day, place) }
        }
    }

    private static func document(_ bytes: Bytes) -> [Entry]? {
        if let object = try? JSONValue(object: bytes) {
            var list: [JSONValue]?
            try? object.readObject { name, value throws(JSONError) in
                if name.isEqual(to: "records") { list = value.array }
            }
            return (list ?? [object]).compactMap(entry)
        }
        var records: [Entry] = []
        var reader = JSONReader(bytes)
        do { try reader.readArray { records += [entry($0)].compactMap(\.self) } } catch { return nil }
        return records
    }

    private static func lines(_ bytes: Bytes) -> [Entry]? {
        var records: [Entry] = []
        for line in bytes.split(separator: ASCII.lineFeed) {
            guard let object = try? JSONValue(object: Bytes(rebasing: line)), let entry = entry(object) else {
                return nil
            }
            records.append(entry)
        }
        return records.isEmpty ? nil : records
    }

    /// A record; `nil` if it has no name. The members of `fields` may be values, or objects with a member `value`.
    private static func entry(_ record: JSONValue) -> Entry? {
        guard record.isObject else { return nil }
        var entry = Entry()
        func add(_ name: JSONValue, _ value: JSONValue) throws(JSONError) {
            switch Name(name.content) {
            case "recordName", "name": entry.name = value.string ?? entry.name
            case "creator": entry.creator = value.string
            case "created":
                guard value.isObject else { return }
                try value.readObject { name, value throws(JSONError) in
                    if name.isEqual(to: "userRecordName") { entry.creator = value.string }
                    if name.isEqual(to: "user") { entry.creator = value.string ?? entry.creator }
                }
            case "fields":
                guard value.isObject else { return }
                try value.readObject { name, value throws(JSONError) in
                    var content = value
                    if value.isObject {
                        try value.readObject { inner, value throws(JSONError) in
                            if inner.isEqual(to: "value") { content = value }
                        }
                    }
                    addField(Name(name.content), content)
                }
            default: addField(Name(name.content), value)
            }
        }
        func addField(_ name: Name, _ value: JSONValue) {
            switch name {
            case "program": entry.program = value.string ?? ""
            case "referrer": entry.referrer = value.string ?? ""
            case "format": entry.format = value.wholeNumber ?? 0
            case "day": entry.day = day(value)
            default: break
            }
        }
        do { try record.readObject(add) } catch { return nil }
        return entry.name.isEmpty ? nil : entry
    }

    /// CloudKit has milliseconds, and text in its exports.
    private static func day(_ value: JSONValue) -> Day? {
        if let number = value.number, number >= 0, number < 1e14 {
            let day = Day(ofSecond: Int(number / 1_000))
            return Day.possible.contains(day) ? day : nil
        }
        return value.string.flatMap { Day(String($0.prefix(10))) }
    }
}
