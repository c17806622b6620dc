import DataHandoff
import Foundation
import Testing

/// Linux has no file protection, so these tests set none.
struct FileProtectionTests {
    private static var unsupported: [any Error] {
        get throws {
            // Linux has only another name of it.
            let error = POSIXError(try #require(POSIXErrorCode(rawValue: ENOTSUP)))
            let wrapped = CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: error])
            return [error, CocoaError(.featureUnsupported), wrapped]
        }
    }
    private static let failures: [any Error] = [
        POSIXError(.EPERM), CocoaError(.fileWriteNoPermission), CancellationError(),
        CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EIO)]),
    ]

    @Test("a volume that has no file protection is no error, on any device", arguments: [true, false])
    func unsupported(isOnMac: Bool) throws {
        for error in try Self.unsupported { try FileProtection.apply(isOnMac: isOnMac) { throw error } }
    }

    @Test("on a Mac, no file protection that can't be set is an error")
    func mac() throws {
        for error in Self.failures { try FileProtection.apply(isOnMac: true) { throw error } }
    }

    @Test("elsewhere a file that would lose its protection is an error")
    func otherDevices() {
        for error in Self.failures {
            #expect(throws: (any Error).self, "\(error)") {
                try FileProtection.apply(isOnMac: false) { throw error }
            }
        }
    }

    @Test("a protection that can be set is set")
    func supported() throws {
        var count = 0
        try FileProtection.apply { count += 1 }
        #expect(count == 1)
    }
}
