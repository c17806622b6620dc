/// https://developer.apple.com/documentation/cloudkit/ckerror
public struct CKError: Error, LocalizedError {
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code
    public enum Code: Int, Sendable {
        case internalError = 1
        case partialFailure, networkUnavailable, networkFailure, badContainer, serviceUnavailable, requestRateLimited
        case missingEntitlement, notAuthenticated, permissionFailure, unknownItem, invalidArguments
        case serverRecordChanged = 14
        case serverRejectedRequest, assetFileNotFound, assetFileModified, incompatibleVersion, constraintViolation
        case operationCancelled, changeTokenExpired, batchRequestFailed, zoneBusy, badDatabase, quotaExceeded
        case zoneNotFound, limitExceeded, userDeletedZone
        case managedAccountRestricted = 32
        case serverResponseLost = 34
        case accountTemporarilyUnavailable = 36
    }

    public let code: Code
    public let retryAfterSeconds: Double?
    private let partialErrors: [CKRecord.ID: any Error]?
    private let message: String

    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        partialErrors.map { Dictionary(uniqueKeysWithValues: $0.map { ($0, $1) }) }
    }

    public var errorDescription: String? { message }

    public var localizedDescription: String { message }

    // MARK: For tests

    package init(
        _ code: Code,
        retryAfter: Double? = nil,
        partial: [CKRecord.ID: any Error]? = nil,
        _ message: String = ""
    ) {
        self.code = code
        retryAfterSeconds = retryAfter
        self.message = message.isEmpty ? "\(code)" : message
        partialErrors = partial
    }
}
