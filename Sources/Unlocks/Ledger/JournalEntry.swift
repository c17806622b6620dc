import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One event in the journal. Of the entries of one subject the last one counts.
enum JournalEntry: Equatable {
    /// Begins a journal, so that an app that is older than it doesn't misread it.
    case format
    case grant(Grant)
    case spent(String, total: Int)
    case reached(String)
    case kept(PaidBefore.Kept?)
    case askedStore
}

/// Why an entry can't be read.
enum JournalEntryError: Error {
    /// It is of a newer version of this library.
    case newerFormat
    case damaged
}

// MARK: - JSON

extension JournalEntry {
    private static let currentFormat = 1

    /// The entry as a JSON object on one line.
    var json: String {
        var object = JSONObject()
        switch self {
        case .format: object.add("format", Self.currentFormat)
        case .grant(let grant): grant.write(to: &object)
        case .spent(let unlock, let total):
            object.add("spent", unlock)
            object.add("total", total)
        case .reached(let event): object.add("reached", event)
        case .kept(let kept):
            object.add("paidBefore", kept?.id ?? "")
            object.add("answer", kept?.answer)
        case .askedStore: object.add("askedStore", true)
        }
        return object.text
    }

    init(json: UnsafeBufferPointer<UInt8>) throws(JournalEntryError) {
        guard let members = (try? JSONValue(object: json))?.object else { throw .damaged }
        if let format = members["format"] {
            guard format.wholeNumber == Self.currentFormat else { throw .newerFormat }
            self = .format
        } else if let unlock = members["spent"]?.string, let total = members["total"]?.wholeNumber, total >= 0 {
            self = .spent(unlock, total: total)
        } else if let event = members["reached"]?.string {
            self = .reached(event)
        } else if let id = members["paidBefore"]?.string {
            self = .kept(members["answer"]?.bool.map { PaidBefore.Kept(id: id, answer: $0) })
        } else if members["askedStore"]?.bool == true {
            self = .askedStore
        } else if let grant = Grant(members) {
            self = .grant(grant)
        } else {
            throw .damaged
        }
    }
}

private extension Grant {
    func write(to object: inout JSONObject) {
        switch source {
        case .purchase(let id): object.add("purchase", id)
        case .reward(let id, let referrer):
            object.add("reward", id)
            object.add("referrer", referrer)
        case .free(let item): object.add("free", item)
        }
        object.add("item", item)
        object.add("grants", doses)
        object.add("stage", stage.rawValue)
        object.add("after", event)
        object.add("limit", limit)
        object.add("again", isDueAgain ? true : nil)
        transaction?.write(to: &object)
    }

    init?(_ members: [String: JSONValue]) {
        if let id = members["purchase"]?.string {
            source = .purchase(id)
            guard let transaction = StoreTransaction(id, members) else { return nil }
            self.transaction = transaction
        } else if let id = members["reward"]?.string, let referrer = members["referrer"]?.string {
            source = .reward(id, referrer: referrer)
        } else if let item = members["free"]?.string {
            source = .free(item)
        } else {
            return nil
        }
        guard let stage = members["stage"]?.string.flatMap(Stage.init), let grants = members["grants"]?.object else {
            return nil
        }
        doses = grants.compactMapValues(\.wholeNumber)
        guard doses.count == grants.count else { return nil }
        self.stage = stage
        item = members["item"]?.string
        event = members["after"]?.string
        limit = members["limit"]?.wholeNumber
        isDueAgain = members["again"]?.bool ?? false
    }
}

private extension StoreTransaction {
    func write(to object: inout JSONObject) {
        object.add("product", product)
        object.add("quantity", quantity == 1 ? nil : quantity)
        object.add("app", app)
        object.add("purchased", purchaseDate)
        object.add("signed", signedDate)
        object.add("expires", expirationDate)
        object.add("revoked", isRevoked ? true : nil)
    }

    init?(_ id: String, _ members: [String: JSONValue]) {
        guard let product = members["product"]?.string else { return nil }
        self.init(
            id: id,
            product: product,
            quantity: members["quantity"]?.wholeNumber ?? 1,
            app: members["app"]?.string,
            purchaseDate: members["purchased"]?.moment,
            signedDate: members["signed"]?.moment,
            expirationDate: members["expires"]?.moment,
            isRevoked: members["revoked"]?.bool ?? false
        )
    }
}

private extension JSONValue {
    /// A moment in Unix milliseconds.
    var moment: Date? { if case .number(let number) = self { Timestamp(milliseconds: number).date } else { nil } }
}

/// A JSON object that is being written. A member that is `nil` is left out.
private struct JSONObject {
    private var members = ""

    var text: String { "{\(members)}" }

    mutating func add(_ name: String, _ value: String?) { add(name, raw: value.map(Referral.quoted)) }
    mutating func add(_ name: String, _ value: Int?) { add(name, raw: value.map(String.init)) }
    mutating func add(_ name: String, _ value: Bool?) { add(name, raw: value.map { $0 ? "true" : "false" }) }

    /// A moment in Unix milliseconds.
    mutating func add(_ name: String, _ value: Date?) {
        let milliseconds = value.map { Timestamp($0).milliseconds }
        add(name, raw: milliseconds.flatMap { $0.isFinite ? "\($0)" : nil })
    }

    mutating func add(_ name: String, _ value: [String: Int]) {
        var object = JSONObject()
        for (name, number) in value.sorted(by: { $0.key < $1.key }) { object.add(name, number) }
        add(name, raw: object.text)
    }

    private mutating func add(_ name: String, raw value: String?) {
        guard let value else { return }
        if !members.isEmpty { members += "," }
        members += "\(Referral.quoted(name)):\(value)"
    }
}
