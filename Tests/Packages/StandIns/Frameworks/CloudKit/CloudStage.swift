/// A container's public database on the server, and the account and the connection of a device: as a test says.
@dynamicMemberLookup
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

    package struct Device {
        package var account = Account.missing
        /// The errors of the next requests.
        package var failures: [CKError] = []
        /// The errors of the next records, in requests that succeed.
        package var recordFailures: [CKError] = []
        /// The requests so far.
        package var requests: [String] = []
        /// Called before a request reaches the server, and before the answer reaches the device, such as to wait or to fail.
        package var connection: (@Sendable (Way) async throws -> Void)?
    }

    /// The server, with what is true of each device.
    package struct Server {
        fileprivate var devices = [Device()]
        package var now = Date(timeIntervalSince1970: 1_795_219_200)
        /// How long it takes until a query finds a new record, in seconds.
        package var indexDelay = 0.0
        package var records: [Stored] = []
        /// Whether who is signed in may create records.
        package var mayCreate = true
        /// The largest number of records in an answer.
        package var pageLength = 100
    }

    private static let all = Locked<[String: CloudStage]>([:])
    private let server: Locked<Server>
    /// The number of the device.
    private let device: Int

    private init(_ server: Locked<Server>, device: Int) { (self.server, self.device) = (server, device) }

    /// The stage of a container.
    package static func named(_ name: String) -> CloudStage {
        all.use { stages in
            let stage = stages[name] ?? empty()
            stages[name] = stage
            return stage
        }
    }

    /// A server of its own.
    package static func empty() -> CloudStage { CloudStage(Locked(Server()), device: 0) }

    /// The stage of another device, with the same server.
    package func another() -> CloudStage {
        let number = server.use { server in
            server.devices.append(Device())
            return server.devices.count - 1
        }
        return CloudStage(server, device: number)
    }

    // MARK: What a test says

    package subscript<Value>(dynamicMember member: WritableKeyPath<Server, Value>) -> Value {
        get { server.use { $0[keyPath: member] } }
        set { server.use { $0[keyPath: member] = newValue } }
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<Device, Value>) -> Value {
        get { server.use { $0.devices[device][keyPath: member] } }
        set { server.use { $0.devices[device][keyPath: member] = newValue } }
    }

    // MARK: The server

    /// A request of the device, with the device's number.
    func ask<Answer>(_ name: String, _ answer: (inout Server, Int) throws -> Answer) async throws -> Answer {
        let connection = self.connection
        try await connection?(.request)
        let answer = try server.use { server in
            server.devices[device].requests.append(name)
            if !server.devices[device].failures.isEmpty { throw server.devices[device].failures.removeFirst() }
            return try answer(&server, device)
        }
        try await connection?(.answer)
        return answer
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

/// The fields of a record.
private final class Asked {
    private let stored: CloudStage.Stored

    init(_ stored: CloudStage.Stored) { self.stored = stored }

    func value(named name: String, comparedTo argument: Any) -> Any? {
        name == "creationDate" ? stored.date : stored.values[name]
    }
}

#if os(Linux)
extension Asked: NamedValues {}
#endif

extension CloudStage.Server {
    func user(_ device: Int) throws -> String {
        switch devices[device].account {
        case .available(let user): return user
        // The time is reported to be there, although nothing changes in it.
        case .missing: throw CKError(.notAuthenticated, retryAfter: 0.05)
        case .temporarilyUnavailable: throw CKError(.accountTemporarilyUnavailable, retryAfter: 0.05)
        }
    }

    mutating func save(
        _ records: [CKRecord],
        _ policy: CKModifyRecordsOperation.RecordSavePolicy,
        _ device: Int
    ) throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        let user = try user(device)
        var results: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
        for record in records {
            results[record.recordID] = Result {
                CKRecord(try save(record, policy, user, device), keys: nil, user: user)
            }
        }
        return results
    }

    private mutating func save(
        _ record: CKRecord,
        _ policy: CKModifyRecordsOperation.RecordSavePolicy,
        _ user: String,
        _ device: Int
    ) throws -> CloudStage.Stored {
        try failRecord(device)
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

    /// The records that a query finds.
    func found(_ query: CKQuery) -> [CloudStage.Stored] {
        records.filter {
            $0.type == query.recordType && $0.foundFrom <= now && query.predicate.evaluate(with: Asked($0))
        }
    }

    mutating func page(
        _ records: [CloudStage.Stored],
        _ keys: [String]?,
        _ device: Int
    ) -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        let user = try? user(device)
        var results: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
        for stored in records.prefix(pageLength) {
            let result = Result<CKRecord, any Error> {
                try failRecord(device)
                return CKRecord(stored, keys: keys, user: user)
            }
            results.append((CKRecord.ID(recordName: stored.name), result))
        }
        let rest = Array(records.dropFirst(pageLength))
        return (results, rest.isEmpty ? nil : CKQueryOperation.Cursor(rest: rest))
    }
}
