import Foundation
import ReferralBridge
import Testing

struct LocalizedErrorsTests {
    private static let errors: [any Error & CustomStringConvertible] = [
        PasteboardError.accessDenied, ReferralError.invalidJSON, ReferralLedgerError.protectedDataUnavailable,
        ReferralLinkError.wrongApp, SignerError.noVerifier, StorePageError.tooLong,
    ]

    @Test("localizedDescription is the error's own sentence", arguments: errors)
    func localizedDescription(_ error: any Error & CustomStringConvertible) {
        #expect(error.localizedDescription == error.description)
    }
}
