import Foundation
import ReferralBridge
import ReferralSigning

extension PrivateKey {
    /// Makes a new key.
    static func random() throws -> PrivateKey {
        try PrivateKey((0..<32).map { _ in UInt8.random(in: 0...255) })
    }
}
