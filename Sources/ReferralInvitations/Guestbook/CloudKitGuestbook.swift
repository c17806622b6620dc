#if canImport(CloudKit)
public import CloudKit

/// A guestbook in the public database of the app's own CloudKit container.
///
/// Users need nothing but their iCloud account, and reading needs none. The schema must be deployed from CloudKit Console:
/// `Examples/Guestbook/Guestbook.ckdb` is its schema.
///
/// A record that the user has signed from another device, or before a reinstallation, counts as signed.
public struct CloudKitGuestbook: Guestbook {
    /// The time, in seconds, by which a reading overlaps with the one before: a day. CloudKit finds a record minutes after it
    /// was created.
    private static let overlap = 86_400.0
    /// The number of records in a request, unless CloudKit accepts fewer.
    private static let pageLength = 100
    /// The number of requests in a reading. If there are more records, somebody has forged many for this referrer.
    private static let maximumRequests = 1_000

    private typealias Schema = GuestbookSchema

    private let container: CKContainer

    /// Creates a guestbook in a container.
    public init(container: CKContainer = .default()) { self.container = container }

    /// Creates the user's record for the entry's program. A record that exists isn't changed.
    public func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        let name = GuestbookRecord.name(creator: try await myself(), program: entry.program)
        let id = CKRecord.ID(recordName: name)
        let record = CKRecord(recordType: Schema.recordType, recordID: id)
        record[Schema.program] = entry.program
        record[Schema.referrer] = entry.referrer
        record[Schema.event] = entry.event
        record[Schema.day] = entry.day
        record[Schema.format] = GuestbookRecord.currentFormat
        do {
            let results = try await container.publicCloudDatabase.modifyRecords(
                saving: [record],
                deleting: [],
                savePolicy: .ifServerRecordUnchanged,
                atomically: false
            )
            guard let result = results.saveResults[id] else { throw GuestbookError.failed("CloudKit didn't answer.") }
            _ = try result.get()
            return .signed
        } catch {
            if error.cloudError(for: id)?.code == .serverRecordChanged { return .alreadySigned }
            throw GuestbookError(error.cloudError(for: id) ?? error)
        }
    }

    /// The records for a referrer since a day before the newest known one.
    ///
    /// If there are more than 1,000 answers, the rest isn't read, and the cursor remains where it is.
    public func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        let newest = cursor.flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) }
        let (format, arguments): (String, [Any]) =
            if let newest {
                ("\(Schema.referrer) == %@ AND creationDate >= %@", [referrer, newest - Self.overlap])
            } else {
                ("\(Schema.referrer) == %@", [referrer])
            }
        do {
            let found = try await found(NSPredicate(format: format, argumentArray: arguments))
            guard found.isComplete else { return GuestbookPage(found.records, cursor: cursor) }
            let date = [newest, found.newest].compactMap { $0 }.max()
            return GuestbookPage(found.records, cursor: date.map { String($0.timeIntervalSince1970) })
        } catch {
            throw GuestbookError(error.cloudError() ?? error)
        }
    }

    /// The record name of the user, which is another one in each container.
    public func myself() async throws(GuestbookError) -> String {
        do { return try await container.userRecordID().recordName } catch {
            throw GuestbookError(error.cloudError() ?? error)
        }
    }

    private struct Found {
        var records: [GuestbookRecord] = []
        var newest: Date?
        var isComplete = false
    }

    /// All records of a query. If one of them can't be read, the query fails, so that none is passed over.
    private func found(_ predicate: NSPredicate) async throws -> Found {
        let (database, keys) = (container.publicCloudDatabase, [Schema.program, Schema.format])
        var (found, cursor, limit) = (Found(), CKQueryOperation.Cursor?.none, Self.pageLength)
        for _ in 0..<Self.maximumRequests {
            do {
                let answer =
                    if let cursor {
                        try await database.records(continuingMatchFrom: cursor, desiredKeys: keys, resultsLimit: limit)
                    } else {
                        try await database.records(
                            matching: CKQuery(recordType: Schema.recordType, predicate: predicate),
                            inZoneWith: nil,
                            desiredKeys: keys,
                            resultsLimit: limit
                        )
                    }
                for (_, result) in answer.matchResults {
                    let record = try result.get()
                    found.records.append(GuestbookRecord(record))
                    found.newest = [found.newest, record.creationDate].compactMap { $0 }.max()
                }
                cursor = answer.queryCursor
            } catch let error as CKError where error.code == .limitExceeded && limit > 1 {
                limit /= 2
                continue
            }
            if cursor == nil {
                found.isComplete = true
                break
            }
        }
        return found
    }
}

private extension GuestbookRecord {
    /// A stranger's record may have a megabyte in a field. A text that is longer than any program's name isn't kept.
    init(_ record: CKRecord) {
        let program = record[GuestbookSchema.program] as? String ?? ""
        self.init(
            name: record.recordID.recordName,
            creator: record.creatorUserRecordID?.recordName,
            program: program.utf8.count <= InviteRecord.maximumNameLength ? program : "",
            format: record[GuestbookSchema.format] as? Int ?? 0
        )
    }
}

private extension Error {
    /// CloudKit's error, for a record if the request failed in part.
    func cloudError(for id: CKRecord.ID? = nil) -> CKError? {
        guard let error = self as? CKError, error.code == .partialFailure, let parts = error.partialErrorsByItemID
        else {
            return self as? CKError
        }
        return (id.flatMap { parts[$0] } ?? parts.values.first) as? CKError ?? error
    }
}

private extension GuestbookError {
    init(_ error: any Error) {
        guard let cloud = error as? CKError else {
            self = error as? GuestbookError ?? .failed("\(error)")
            return
        }
        // The code decides. The error for a user who isn't signed in may have a time too, of nearly zero seconds.
        switch cloud.code {
        case .notAuthenticated, .accountTemporarilyUnavailable: self = .notSignedIn
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
            .serverResponseLost:
            self = cloud.retryAfterSeconds.map(GuestbookError.retryAfter) ?? .offline
        // A record type or a field that isn't deployed, a field without an index, or missing rights.
        case .permissionFailure, .invalidArguments, .unknownItem, .serverRejectedRequest, .badContainer, .badDatabase,
            .missingEntitlement, .managedAccountRestricted:
            self = .notAllowed(cloud.localizedDescription)
        default:
            self =
                cloud.retryAfterSeconds.map(GuestbookError.retryAfter) ?? .failed(cloud.localizedDescription)
        }
    }
}
#endif
