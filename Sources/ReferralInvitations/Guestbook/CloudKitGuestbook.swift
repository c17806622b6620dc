#if canImport(CloudKit)
public import CloudKit

/// A guestbook in the public database of the app's own CloudKit container.
///
/// Users need nothing but their iCloud account, and reading needs none. The schema must be deployed from CloudKit Console:
/// `Examples/Guestbook/Guestbook.ckdb` is its schema.
///
/// A record that the user has signed from another device, or before a reinstallation, counts as signed.
public struct CloudKitGuestbook: Guestbook {
    private static let recordType = "Arrival"
    /// The time, in seconds, by which a reading overlaps with the one before: a day. CloudKit finds a record minutes after it
    /// was created.
    private static let overlap = 86_400.0
    /// The number of requests in a reading. If there are more records, somebody has forged many for this referrer.
    private static let maximumRequests = 1_000

    private let container: CKContainer

    /// Creates a guestbook in a container.
    public init(container: CKContainer = .default()) { self.container = container }

    /// Creates the user's record for the entry's program. A record that exists isn't changed.
    public func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        let name = GuestbookRecord.name(creator: try await myself(), program: entry.program)
        let id = CKRecord.ID(recordName: name)
        let record = CKRecord(recordType: Self.recordType, recordID: id)
        record["program"] = entry.program
        record["referrer"] = entry.referrer
        record["event"] = entry.event
        record["day"] = entry.day
        record["format"] = GuestbookRecord.currentFormat
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
            if error.cloudError?.code == .serverRecordChanged { return .alreadySigned }
            throw GuestbookError(error)
        }
    }

    /// The records for a referrer since a day before the newest known one.
    ///
    /// If there are more than 1,000 answers, the rest isn't read, and the cursor remains where it is. If a record can't be read, the
    /// reading fails, so that none is passed over.
    public func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        let (database, keys) = (container.publicCloudDatabase, ["program", "format"])
        var newest = Date(timeIntervalSince1970: cursor.flatMap { Double($0) } ?? Self.overlap)
        let arguments: [Any] = [referrer, newest - Self.overlap]
        let predicate = NSPredicate(format: "referrer == %@ AND creationDate >= %@", argumentArray: arguments)
        let query = CKQuery(recordType: Self.recordType, predicate: predicate)
        var (records, rest) = ([GuestbookRecord](), CKQueryOperation.Cursor?.none)
        do {
            for _ in 0..<Self.maximumRequests {
                let answer =
                    if let rest {
                        try await database.records(continuingMatchFrom: rest, desiredKeys: keys)
                    } else {
                        try await database.records(matching: query, desiredKeys: keys)
                    }
                for (_, result) in answer.matchResults {
                    let record = try result.get()
                    records.append(GuestbookRecord(record))
                    newest = max(newest, record.creationDate ?? newest)
                }
                rest = answer.queryCursor
                if rest == nil { break }
            }
        } catch { throw GuestbookError(error) }
        return GuestbookPage(records, cursor: rest == nil ? String(newest.timeIntervalSince1970) : cursor)
    }

    /// The record name of the user, which is another one in each container.
    public func myself() async throws(GuestbookError) -> String {
        do { return try await container.userRecordID().recordName } catch { throw GuestbookError(error) }
    }
}

private extension GuestbookRecord {
    init(_ record: CKRecord) {
        self.init(
            name: record.recordID.recordName,
            creator: record.creatorUserRecordID?.recordName,
            program: record["program"] as? String ?? "",
            format: record["format"] as? Int ?? 0
        )
    }
}

private extension Error {
    /// CloudKit's error, or that of the record if a request for one has failed in part.
    var cloudError: CKError? {
        guard let error = self as? CKError else { return nil }
        return error.code == .partialFailure ? error.partialErrorsByItemID?.values.first as? CKError ?? error : error
    }
}

private extension GuestbookError {
    init(_ error: any Error) {
        guard let cloud = error.cloudError else {
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
        default: self = cloud.retryAfterSeconds.map(GuestbookError.retryAfter) ?? .failed(cloud.localizedDescription)
        }
    }
}
#endif
