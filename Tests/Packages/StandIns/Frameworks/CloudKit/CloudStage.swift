/// A container's public database on the server, and the account and the connection of a device: as a test says.
package final class CloudStage: @unchecked Sendable {
    package struct Stored {
        package var name: String
        package var type: String
        package var creator: String?
        package var date: Date
        package var values: [String: any CKRecordValueProtocol]
        package var changeTag = 0
        /// The moment from which queries find it: minutes after it was saved.
        package var foundFrom: Date
    }

    package enum Account {
        case available(String), missing, temporarilyUnavailable
    }

    /// The ways of a request to the server, and of its answer back.
    package enum Way: Sendable { case request, answer }

    fileprivate struct Device {
        var account = Account.missing
        var failures: [CKError] = []
        var recordFailures: [CKError] = []
        var requests: [String] = []
        var connection: (@Sendable (Way) async throws -> Void)?
    }

    /// The server, with what is true of each device.
    fileprivate struct State {
        var devices = [Device()]
        var now = Date(timeIntervalSince1970: 1_795_219_200)
        var indexDelay = 0.0
        var records: [Stored] = [] { didSet { byReferrer = nil } }
        /// The places of the records for each referrer; `nil` if there are others since.
        var byReferrer: [String: [Int]]?
        var isDeployed = true
        var mayCreate = true
        var queryable: Set<String> = ["referrer", "creationDate"]
        var pageLength = 100
        var answersHaveEnd = true
    }

    private static let all = Locked<[String: CloudStage]>([:])
    private let state: Locked<State>
    /// The number of the device.
    private let device: Int

    private init() {
        state = Locked(State())
        device = 0
    }

    /// The stage of a container.
    package convenience init(named name: String) {
        self.init(
            Self.all.use { stages in
                if let stage = stages[name] { return stage }
                let stage = CloudStage()
                stages[name] = stage
                return stage
            }
        )
    }

    private init(_ other: CloudStage) {
        state = other.state
        device = other.device
    }

    /// A server of its own.
    package static func empty() -> CloudStage { CloudStage() }

    /// The stage of another device, with the same server.
    package func another() -> CloudStage { CloudStage(beside: self) }

    private init(beside other: CloudStage) {
        state = other.state
        device = state.use { state in
            state.devices.append(Device())
            return state.devices.count - 1
        }
    }

    // MARK: What a test says

    package var account: Account {
        get { state.use { $0.devices[device].account } }
        set { state.use { $0.devices[device].account = newValue } }
    }
    package var now: Date {
        get { state.use { $0.now } }
        set { state.use { $0.now = newValue } }
    }
    /// How long it takes until a query finds a new record, in seconds.
    package var indexDelay: Double {
        get { state.use { $0.indexDelay } }
        set { state.use { $0.indexDelay = newValue } }
    }
    package var records: [Stored] {
        get { state.use { $0.records } }
        set { state.use { $0.records = newValue } }
    }
    /// The errors of the next requests.
    package var failures: [CKError] {
        get { state.use { $0.devices[device].failures } }
        set { state.use { $0.devices[device].failures = newValue } }
    }
    /// The errors of the next records, in requests that succeed.
    package var recordFailures: [CKError] {
        get { state.use { $0.devices[device].recordFailures } }
        set { state.use { $0.devices[device].recordFailures = newValue } }
    }
    /// Whether the record type is in the production environment.
    package var isDeployed: Bool {
        get { state.use { $0.isDeployed } }
        set { state.use { $0.isDeployed = newValue } }
    }
    /// Whether who is signed in may create records.
    package var mayCreate: Bool {
        get { state.use { $0.mayCreate } }
        set { state.use { $0.mayCreate = newValue } }
    }
    /// The fields with an index.
    package var queryable: Set<String> {
        get { state.use { $0.queryable } }
        set { state.use { $0.queryable = newValue } }
    }
    /// The largest number of records in an answer.
    package var pageLength: Int {
        get { state.use { $0.pageLength } }
        set { state.use { $0.pageLength = newValue } }
    }
    /// Whether an answer has a cursor only if there are more records.
    package var answersHaveEnd: Bool {
        get { state.use { $0.answersHaveEnd } }
        set { state.use { $0.answersHaveEnd = newValue } }
    }
    /// The requests so far.
    package var requests: [String] { state.use { $0.devices[device].requests } }
    /// Called before a request reaches the server, and before the answer reaches the device, such as to wait or to fail.
    package var connection: (@Sendable (Way) async throws -> Void)? {
        get { state.use { $0.devices[device].connection } }
        set { state.use { $0.devices[device].connection = newValue } }
    }

    // MARK: The server

    func asked<Answer>(_ request: (CloudStage) throws -> Answer) async throws -> Answer {
        let connection = connection
        try await connection?(.request)
        let answer = try request(self)
        try await connection?(.answer)
        return answer
    }

    func signedIn(_ request: String) throws -> String {
        try state.use { state in
            try state.begin(request, device)
            return try state.user(device)
        }
    }

    func save(
        _ records: [CKRecord],
        _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try state.use { state in
            try state.begin("save", device)
            let user = try state.user(device)
            var results: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
            for record in records {
                results[record.recordID] = Result {
                    CKRecord(try state.save(record, policy, user, device), keys: nil, user: user)
                }
            }
            return results
        }
    }

    typealias Answer = (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    )

    func find(_ query: CKQuery, _ keys: [String]?, _ limit: Int) throws -> Answer {
        try state.use { state in
            try state.begin("query", device)
            guard state.isDeployed else { throw CKError(.unknownItem, "Did not find record type: \(query.recordType)") }
            return try state.page(try state.found(query), keys, limit, device)
        }
    }

    func goOn(_ cursor: CKQueryOperation.Cursor, _ keys: [String]?, _ limit: Int) throws -> Answer {
        try state.use { state in
            try state.begin("cursor", device)
            return try state.page(cursor.rest, keys, limit, device)
        }
    }
}

private final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func use<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// The fields of a record, or of none, with the names that a predicate has asked for.
private final class Asked {
    private let stored: CloudStage.Stored?
    private(set) var names: Set<String> = []
    private(set) var referrer: String?

    init(_ stored: CloudStage.Stored?) { self.stored = stored }

    func value(named name: String, comparedTo argument: Any) -> Any? {
        names.insert(name)
        if name == "referrer" { referrer = argument as? String }
        return name == "creationDate" ? stored?.date : stored?.values[name]
    }
}

#if os(Linux)
extension Asked: NamedValues {}
#endif

extension CloudStage.State {
    fileprivate mutating func begin(_ request: String, _ device: Int) throws {
        devices[device].requests.append(request)
        if !devices[device].failures.isEmpty { throw devices[device].failures.removeFirst() }
    }

    fileprivate func user(_ device: Int) throws -> String {
        switch devices[device].account {
        case .available(let user): return user
        // The time is reported to be there, although nothing changes in it.
        case .missing: throw CKError(.notAuthenticated, retryAfter: 0.05)
        case .temporarilyUnavailable: throw CKError(.accountTemporarilyUnavailable, retryAfter: 0.05)
        }
    }

    fileprivate mutating func save(
        _ record: CKRecord,
        _ policy: CKModifyRecordsOperation.RecordSavePolicy,
        _ user: String,
        _ device: Int
    ) throws -> CloudStage.Stored {
        try failRecord(device)
        guard isDeployed else {
            throw CKError(.invalidArguments, "Can't create new type \(record.recordType) in production schema")
        }
        if let index = records.firstIndex(where: { $0.name == record.recordID.recordName }) {
            guard policy != .ifServerRecordUnchanged || record.changeTag == records[index].changeTag else {
                throw CKError(.serverRecordChanged, "record to insert already exists")
            }
            guard records[index].creator == user else {
                throw CKError(.permissionFailure, "WRITE operation not permitted")
            }
            records[index].values.merge(record.values) { $1 }
            records[index].changeTag += 1
            return records[index]
        }
        guard mayCreate else { throw CKError(.permissionFailure, "CREATE operation not permitted") }
        let stored = CloudStage.Stored(
            name: record.recordID.recordName,
            type: record.recordType,
            creator: user,
            date: now,
            values: record.values,
            foundFrom: now + indexDelay
        )
        records.append(stored)
        return stored
    }

    /// Fails one record of a request.
    private mutating func failRecord(_ device: Int) throws {
        if !devices[device].recordFailures.isEmpty { throw devices[device].recordFailures.removeFirst() }
    }

    /// The records that a query finds. Each field of it must have an index.
    fileprivate mutating func found(_ query: CKQuery) throws -> [CloudStage.Stored] {
        let none = Asked(nil)
        _ = query.predicate.evaluate(with: none)
        for name in none.names where !queryable.contains(name) {
            throw CKError(.invalidArguments, "Field '\(name)' is not marked queryable")
        }
        return candidates(none.referrer).filter {
            $0.type == query.recordType && $0.foundFrom <= now && query.predicate.evaluate(with: Asked($0))
        }
    }

    /// The records for a referrer, by the field's index.
    private mutating func candidates(_ referrer: String?) -> [CloudStage.Stored] {
        guard let referrer else { return records }
        if byReferrer == nil {
            byReferrer = Dictionary(grouping: records.indices) { records[$0].values["referrer"] as? String ?? "" }
        }
        return (byReferrer?[referrer] ?? []).map { records[$0] }
    }

    fileprivate mutating func page(
        _ records: [CloudStage.Stored],
        _ keys: [String]?,
        _ limit: Int,
        _ device: Int
    ) throws -> CloudStage.Answer {
        guard limit <= pageLength else { throw CKError(.limitExceeded) }
        let user = try? user(device)
        let count = limit == 0 ? pageLength : limit
        var results: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
        for stored in records.prefix(count) {
            let result = Result<CKRecord, any Error> {
                try failRecord(device)
                return CKRecord(stored, keys: keys, user: user)
            }
            results.append((CKRecord.ID(recordName: stored.name), result))
        }
        let rest = Array(records.dropFirst(count))
        return (results, rest.isEmpty && answersHaveEnd ? nil : CKQueryOperation.Cursor(rest: rest))
    }
}
