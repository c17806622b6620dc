#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import ReferralAppSupport
import SwiftUI

// In this module, these take the place of SwiftUI's, so the compiler warns of text that doesn't say where it comes from.

extension Text {
    @available(*, deprecated, message: "Use Text(own:) or Text(shown:).")
    init(verbatim content: String) { self.init(own: content) }

    @available(*, deprecated, message: "Use Text(own:) or Text(shown:).")
    @_disfavoredOverload
    init(_ content: some StringProtocol) { self.init(own: String(content)) }
}

extension LocalizedStringKey.StringInterpolation {
    @available(*, deprecated, message: "Use the label own or shown.")
    mutating func appendInterpolation(_ string: String) { appendInterpolation(own: string) }
}
#endif
