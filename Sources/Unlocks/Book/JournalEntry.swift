import ReferralFoundation

/// One event in the journal. If several entries have the same subject, the last one counts.
enum JournalEntry: Equatable {
    /// The first entry, so that an older app doesn't misread a newer journal, and another app doesn't take it for its own.
    case format(Int, app: String?)
    case grant(Grant)
    /// The total amount of an unlock that was spent in an environment, or before the store told its own, without free uses, and the free uses, if they have
    /// changed.
    case spent(UnlockID, total: Int, StoreEnvironment?, free: FreeUses?)
    /// The latest moment of the device's clock, or the latest one that the store has signed in an environment. An earlier
    /// moment of the clock than before is a correction.
    case seen(Date, StoreEnvironment?)
    case reached(EventName)
    case claim(Claim)
    /// A claim that no longer counts.
    case forgotten(Claim)
    /// Somebody came by the user's invitation, in a program.
    case invited(Name, program: Name)
    case kept(PaidBefore.Kept?)
    case answer(StoreAnswer)
}

extension JournalEntry {
    /// Whether it notes or corrects the device's clock.
    var isMoment: Bool { if case .seen(_, nil) = self { true } else { false } }
}

/// Why an entry can't be read.
enum JournalEntryError: Error {
    /// The entry was written by a newer version of this library.
    case newerFormat
    case damaged
}

// MARK: - JSON

extension JournalEntry {
    static let currentFormat = 2
    /// The largest number for which JSON represents every smaller whole number exactly. Sums of such numbers don't
    /// overflow.
    private static let maximumTotal = 1 << 53 - 1

    /// The entry as a JSON object on one line.
    var json: String {
        var object = JSONObject()
        switch self {
        case .format(let number, let app):
            object.add("format", number)
            object.add("app", app)
        case .grant(let grant): grant.write(to: &object)
        case .spent(let unlock, let total, let environment, let free):
            object.add("spent", unlock)
            object.add("total", total)
            object.add("environment", environment?.rawValue)
            object.add("used", free?.count)
            object.add("last", free?.last)
        case .seen(let date, let environment):
            object.add("seen", date)
            object.add("environment", environment?.rawValue)
        case .reached(let event): object.add("reached", event)
        case .claim(let claim): claim.write(to: &object)
        case .forgotten(let claim):
            claim.write(to: &object)
            object.add("isForgotten", true)
        case .invited(let id, let program):
            object.add("invited", id)
            object.add("program", program)
        case .kept(let kept):
            object.add("paidBefore", kept?.id ?? "")
            object.add("answer", kept?.answer)
        case .answer(let answer):
            object.add("answered", answer.date)
            object.add("clock", answer.clock)
            object.add("environment", answer.environment.rawValue)
            object.add("isFromStore", answer.isFromStore)
            object.add("subscriptions", answer.subscriptions.map { ($0, "true") })
        }
        return object.text
    }

    init(json: Bytes) throws(JournalEntryError) {
        guard let members = try? JournalMembers(json) else { throw .damaged }
        if let format = members.format {
            guard 1...Self.currentFormat ~= format else { throw .newerFormat }
            self = .format(format, app: members.app)
        } else if let unlock = members.spent, let total = members.total, total >= 0,
            members.environment != nil || !members.hasEnvironment
        {
            let count = members.freeUses.map { min(max($0, 0), Self.maximumTotal) }
            let free = count.flatMap { count in members.last.map { FreeUses(count: count, last: $0) } }
            self = .spent(UnlockID(unlock), total: min(total, Self.maximumTotal), members.environment, free: free)
        } else if let date = members.seen {
            self = .seen(date, members.environment)
        } else if let event = members.reached {
            self = .reached(EventName(event))
        } else if let claim = Claim(members) {
            self = members.isForgotten == true ? .forgotten(claim) : .claim(claim)
        } else if let id = members.invited, let program = members.program, members.reward == nil {
            self = .invited(Name(id), program: Name(program))
        } else if let id = members.paidBefore {
            self = .kept(members.answer.map { PaidBefore.Kept(id: id, answer: $0) })
        } else if let date = members.answered, let environment = members.environment,
            let isFromStore = members.isFromStore, let subscriptions = members.subscriptions
        {
            self = .answer(
                StoreAnswer(
                    environment: environment,
                    date: date,
                    clock: members.clock,
                    isFromStore: isFromStore,
                    subscriptions: Set(subscriptions.keys)
                )
            )
        } else if let grant = Grant(members) {
            self = .grant(grant)
        } else {
            throw .damaged
        }
    }
}

/// The members that an entry may have. They are read without a dictionary, since a journal may have ten thousand lines.
private struct JournalMembers {
    var (format, total, quantity, freeUses, days): (Int?, Int?, Int?, Int?, Int?)
    var (spent, reached, paidBefore, stage): (String?, String?, String?, String?)
    var (purchase, reward, referrer, free): (String?, String?, String?, String?)
    var (invited, program, number): (String?, String?, Int?)
    var (claim, isSigned, isForgotten): (String?, Bool?, Bool?)
    var (item, product, app, price, currency): (String?, String?, String?, String?, String?)
    var (kind, original, environment): (StoreTransaction.ProductKind?, String?, StoreEnvironment?)
    var hasEnvironment = false
    var (answer, revoked, shared, isFromStore, trial): (Bool?, Bool?, Bool?, Bool?, Bool?)
    var hasFiles: Bool?
    var (purchased, signed, expires, answered): (Date?, Date?, Date?, Date?)
    var (first, recorded, seen, last, clock): (Date?, Date?, Date?, Date?, Date?)
    var grants: [UnlockID: Int]?
    var subscriptions: [Name: Bool]?
    var parameters: [Name: Name]?

    init(_ json: Bytes) throws(JSONError) {
        var reader = JSONReader(json)
        var members = self
        try reader.readObject { name, value throws(JSONError) in
            switch name.content {
            // The most frequent ones first.
            case "purchase": members.purchase = try value.string?.asName()
            case "item": members.item = try value.string?.asName()
            case "grants":
                members.grants = try value.object({ text throws(JSONError) in UnlockID(try text.asName()) }) {
                    $0.int.flatMap { $0 < 0 ? nil : min($0, Grant.maximumDoses) }
                }
            case "stage": members.stage = value.string
            case "files": members.hasFiles = value.bool
            case "product": members.product = try value.string?.asName()
            case "purchased": members.purchased = value.date
            case "signed": members.signed = value.date
            case "app": members.app = value.string
            case "spent": members.spent = try value.string?.asName()
            case "total": members.total = value.int
            case "format": members.format = value.int
            case "quantity": members.quantity = value.int
            case "used": members.freeUses = value.int
            case "reached": members.reached = try value.string?.asName()
            case "paidBefore": members.paidBefore = value.string
            case "reward": members.reward = try value.string?.asName()
            case "referrer": members.referrer = try value.string?.asName()
            case "free": members.free = try value.string?.asName()
            case "invited": members.invited = try value.string?.asName()
            case "program": members.program = try value.string?.asName()
            case "number": members.number = value.int
            case "answer": members.answer = value.bool
            case "environment":
                members.environment = value.string.flatMap(StoreEnvironment.init)
                members.hasEnvironment = true
            case "price": members.price = value.string
            case "currency": members.currency = value.string
            case "kind": members.kind = value.string.flatMap(StoreTransaction.ProductKind.init)
            case "original": members.original = value.string
            case "shared": members.shared = value.bool
            case "answered": members.answered = value.date
            case "seen": members.seen = value.date
            case "last": members.last = value.date
            case "days": members.days = value.int
            case "trial": members.trial = value.bool
            case "first": members.first = value.date
            case "recorded": members.recorded = value.date
            case "isFromStore": members.isFromStore = value.bool
            case "clock": members.clock = value.date
            case "subscriptions":
                members.subscriptions = try value.object(
                    { text throws(JSONError) in Name(try text.asName()) },
                    \.bool
                )
            case "revoked": members.revoked = value.bool
            case "expires": members.expires = value.date
            case "claim": members.claim = try value.string?.asName()
            case "isSigned": members.isSigned = value.bool
            case "isForgotten": members.isForgotten = value.bool
            case "parameters": members.parameters = try value.object({ Name($0) }) { $0.string.map { Name($0) } }
            default: break
            }
        }
        self = members
    }
}

private extension JSONValue {
    var int: Int? { number.flatMap { Int(exactly: $0) } }

    /// A moment in Unix milliseconds.
    var date: Date? { number.map { Timestamp(milliseconds: $0).date } }

    /// An object whose members are all of one kind.
    func object<Key, Member>(
        _ key: (String) throws(JSONError) -> Key,
        _ read: (JSONValue) -> Member?
    ) throws(JSONError) -> [Key: Member] {
        var members: [Key: Member] = [:]
        try readObject { name, value throws(JSONError) in
            guard let member = read(value) else { throw .invalid }
            members[try key(name.content)] = member
        }
        return members
    }
}

private extension String {
    /// The text, unless it is too long or too short for a name.
    func asName() throws(JSONError) -> String {
        guard isName else { throw .invalid }
        return self
    }
}

private extension Claim {
    func write(to object: inout JSONObject) {
        object.add("claim", referrer)
        object.add("parameters", parameters.map { ($0, JSONWriter.string($1.rawValue)) })
        object.add("isSigned", isSigned)
    }

    init?(_ members: JournalMembers) {
        guard let referrer = members.claim, let parameters = members.parameters,
            let isSigned = members.isSigned
        else { return nil }
        self.init(referrer: Name(referrer), parameters: parameters, isSigned: isSigned)
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
        case .invited(let id, let program, let number):
            object.add("reward", id)
            object.add("program", program)
            object.add("number", number)
        }
        object.add("item", item)
        object.add("grants", amounts.map { ($0, String($1)) })
        object.add("stage", stage.rawValue)
        switch term {
        case .pass(let days): object.add("days", days)
        case .trial(let days):
            object.add("days", days)
            object.add("trial", true)
        case nil: break
        }
        object.add("recorded", recorded)
        object.add("files", hasFiles ? true : nil)
        transaction?.write(to: &object)
    }

    init?(_ members: JournalMembers) {
        if let id = members.purchase {
            source = .purchase(Name(id))
            guard let transaction = StoreTransaction(id, members) else { return nil }
            self.transaction = transaction
        } else if let id = members.reward, let referrer = members.referrer {
            source = .reward(RewardID(id), referrer: Name(referrer))
        } else if let id = members.reward, let program = members.program, let number = members.number {
            source = .invited(RewardID(id), program: Name(program), number: number)
        } else if let item = members.free {
            source = .free(ItemID(item))
        } else {
            return nil
        }
        guard let stage = members.stage.flatMap(Stage.init), let grants = members.grants else { return nil }
        amounts = grants
        self.stage = stage
        item = members.item.map { ItemID($0) }
        recorded = members.recorded
        hasFiles = members.hasFiles ?? false
        term = members.days.map { days in
            let days = min(max(days, 0), Term.maximumDays)
            return members.trial == true ? .trial(days: days) : .pass(days: days)
        }
    }
}

private extension StoreTransaction {
    func write(to object: inout JSONObject) {
        object.add("original", originalID)
        object.add("product", productID)
        object.add("kind", productKind?.rawValue)
        object.add("quantity", quantity == 1 ? nil : quantity)
        object.add("app", app)
        object.add("environment", environment?.rawValue)
        object.add("shared", isFamilyShared ? true : nil)
        object.add("purchased", purchaseDate)
        object.add("first", originalPurchaseDate)
        object.add("signed", signedDate)
        object.add("expires", expirationDate)
        object.add("revoked", isRevoked ? true : nil)
        object.add("price", price?.description)
        object.add("currency", currency)
    }

    init?(_ id: String, _ members: JournalMembers) {
        guard let product = members.product else { return nil }
        self.init(
            id: id,
            originalID: members.original,
            productID: ProductID(product),
            productKind: members.kind,
            quantity: members.quantity ?? 1,
            app: members.app,
            environment: members.environment,
            isFamilyShared: members.shared ?? false,
            purchaseDate: members.purchased,
            originalPurchaseDate: members.first,
            signedDate: members.signed,
            expirationDate: members.expires,
            isRevoked: members.revoked ?? false,
            price: members.price.flatMap { Decimal(string: $0) },
            currency: members.currency
        )
    }
}

/// A JSON object that is being written. A member that is `nil` is left out.
private struct JSONObject {
    private var members: [(name: String, value: String)] = []

    var text: String { JSONWriter.object(members) }

    mutating func add(_ name: String, _ value: String?) { add(name, json: value.map(JSONWriter.string)) }
    mutating func add(_ name: String, _ value: (some CatalogName)?) { add(name, value?.rawValue) }
    mutating func add(_ name: String, _ value: Int?) { add(name, json: value.map(String.init)) }
    mutating func add(_ name: String, _ value: Bool?) { add(name, json: value.map { $0 ? "true" : "false" }) }

    /// A moment in Unix milliseconds.
    mutating func add(_ name: String, _ value: Date?) {
        guard let milliseconds = value.map({ Timestamp($0).milliseconds }), milliseconds.isFinite else { return }
        add(name, json: JSONWriter.number(milliseconds))
    }

    /// An object, of members in JSON.
    mutating func add(_ name: String, _ members: [(some CatalogName, String)]) {
        let sorted = members.sorted { $0.0 < $1.0 }
        add(name, json: JSONWriter.object(sorted.map { ($0.0.rawValue, $0.1) }))
    }

    private mutating func add(_ name: String, json value: String?) {
        if let value { members.append((name, value)) }
    }
}
