#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/cloudkit/ckrecord
open class CKRecord: NSObject {
    public typealias RecordType = String
    public typealias FieldKey = String

    /// https://developer.apple.com/documentation/cloudkit/ckrecord/id
    open class ID: NSObject, @unchecked Sendable {
        public let recordName: String

        public init(recordName: String) { self.recordName = recordName }

        open override var hash: Int { recordName.hash }

        open override func isEqual(_ object: Any?) -> Bool { (object as? ID)?.recordName == recordName }
    }

    public let recordType: RecordType
    public let recordID: ID
    public private(set) var creationDate: Date?
    public private(set) var creatorUserRecordID: ID?
    /// The server's version, which a record that was only made here doesn't have.
    package private(set) var changeTag: Int?
    package private(set) var values: [FieldKey: any CKRecordValueProtocol] = [:]

    public init(recordType: RecordType, recordID: ID) {
        self.recordType = recordType
        self.recordID = recordID
    }

    public subscript(key: FieldKey) -> (any CKRecordValueProtocol)? {
        get { values[key] }
        set { values[key] = newValue }
    }

    public subscript<Value: CKRecordValueProtocol>(key: FieldKey) -> Value? {
        get { values[key] as? Value }
        set { values[key] = newValue }
    }

    // MARK: For tests

    /// The record as the server has it, with some of its fields.
    package init(_ stored: CloudStage.Stored, keys: [FieldKey]?, user: String?) {
        recordType = stored.type
        recordID = ID(recordName: stored.name)
        creationDate = stored.date
        creatorUserRecordID = stored.creator.map { ID(recordName: $0 == user ? "__defaultOwner__" : $0) }
        changeTag = stored.changeTag
        values = stored.values.filter { keys?.contains($0.key) ?? true }
    }
}

/// https://developer.apple.com/documentation/cloudkit/ckrecordvalueprotocol
public protocol CKRecordValueProtocol {}
extension String: CKRecordValueProtocol {}
extension Int: CKRecordValueProtocol {}
extension Date: CKRecordValueProtocol {}

/// https://developer.apple.com/documentation/cloudkit/ckrecordzone
open class CKRecordZone: NSObject {
    /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id
    open class ID: NSObject, @unchecked Sendable {}
}

/// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation
open class CKModifyRecordsOperation: NSObject {
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy
    public enum RecordSavePolicy: Int, Sendable {
        case ifServerRecordUnchanged
        case changedKeys
        case allKeys
    }
}

/// https://developer.apple.com/documentation/cloudkit/ckquery
open class CKQuery: NSObject {
    public let recordType: CKRecord.RecordType
    public let predicate: NSPredicate

    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        self.recordType = recordType
        self.predicate = predicate
    }
}

/// https://developer.apple.com/documentation/cloudkit/ckqueryoperation
open class CKQueryOperation: NSObject {
    /// https://developer.apple.com/documentation/cloudkit/ckqueryoperation/cursor-swift.class
    open class Cursor: NSObject, @unchecked Sendable {
        /// The records that are left.
        let rest: [CloudStage.Stored]

        init(rest: [CloudStage.Stored]) { self.rest = rest }
    }

    public class var maximumResults: Int { 0 }
}
