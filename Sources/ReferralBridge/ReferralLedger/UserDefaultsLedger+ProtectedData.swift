#if canImport(UIKit) && !os(watchOS)
import UIKit

extension UserDefaultsLedger {
    static var isProtectedDataAvailable: Bool { UIApplication.shared.isProtectedDataAvailable }
}
#elseif canImport(UIKit) || canImport(AppKit)
extension UserDefaultsLedger {
    /// Nothing runs on a Mac before somebody has logged in.
    static var isProtectedDataAvailable: Bool { true }
}
#endif
