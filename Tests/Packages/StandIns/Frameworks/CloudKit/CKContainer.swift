/// https://developer.apple.com/documentation/cloudkit/ckcontainer
open class CKContainer: NSObject, @unchecked Sendable {
    public let publicCloudDatabase: CKDatabase

    public init(identifier containerIdentifier: String) {
        publicCloudDatabase = CKDatabase(CloudStage.named(containerIdentifier))
    }

    /// A device's container.
    package init(_ stage: CloudStage) { publicCloudDatabase = CKDatabase(stage) }

    open class func `default`() -> CKContainer { CKContainer(identifier: "iCloud.default") }

    public func userRecordID() async throws -> CKRecord.ID {
        let name = try await publicCloudDatabase.stage.ask("userRecordID") { try $0.user($1) }
        return CKRecord.ID(recordName: name)
    }
}

/// https://developer.apple.com/documentation/cloudkit/ckdatabase
open class CKDatabase: NSObject, @unchecked Sendable {
    let stage: CloudStage

    init(_ stage: CloudStage) { self.stage = stage }

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
        return (try await stage.ask("save") { try $0.save(recordsToSave, savePolicy, $1) }, [:])
    }

    public func records(
        matching query: CKQuery,
        inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await stage.ask("query") { $0.page($0.found(query), desiredKeys, $1) }
    }

    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await stage.ask("cursor") { $0.page(queryCursor.rest, desiredKeys, $1) }
    }
}
