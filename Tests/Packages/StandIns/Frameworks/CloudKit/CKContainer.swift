/// https://developer.apple.com/documentation/cloudkit/ckcontainer
@available(macOS 10.10, iOS 8.0, *)
open class CKContainer: NSObject, @unchecked Sendable {
    public let publicCloudDatabase: CKDatabase

    public init(identifier containerIdentifier: String) {
        publicCloudDatabase = CKDatabase(CloudStage.named(containerIdentifier))
    }

    /// A device's container.
    package init(_ stage: CloudStage) { publicCloudDatabase = CKDatabase(stage) }

    open class func `default`() -> CKContainer { CKContainer(identifier: "iCloud.default") }

    public func userRecordID() async throws -> CKRecord.ID {
        CKRecord.ID(
            recordName: try await publicCloudDatabase.stage.asked { try $0.signedIn("userRecordID") }
        )
    }
}

/// https://developer.apple.com/documentation/cloudkit/ckdatabase
@available(macOS 10.10, iOS 8.0, *)
open class CKDatabase: NSObject, @unchecked Sendable {
    let stage: CloudStage

    init(_ stage: CloudStage) { self.stage = stage }

    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/modifyrecords(saving:deleting:savepolicy:atomically:)
    @available(macOS 12.0, iOS 15.0, *)
    public func modifyRecords(
        saving recordsToSave: [CKRecord],
        deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        // "Only private databases with custom zones support atomic changes."
        guard !atomically else { throw CKError(.invalidArguments, "the public database has no atomic changes") }
        return (try await stage.asked { try $0.save(recordsToSave, savePolicy) }, [:])
    }

    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/records(matching:inzonewith:desiredkeys:resultslimit:)
    @available(macOS 12.0, iOS 15.0, *)
    public func records(
        matching query: CKQuery,
        inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await stage.asked { try $0.find(query, desiredKeys) }
    }

    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/records(continuingmatchfrom:desiredkeys:resultslimit:)
    @available(macOS 12.0, iOS 15.0, *)
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await stage.asked { try $0.goOn(queryCursor, desiredKeys) }
    }
}
