#if canImport(SwiftUI)
package import SwiftUI

// `Tests/test_text_in_views.py` refuses text in a view without one of these labels.

extension Text {
    /// Text of the developer, the store or the system, such as an item's title or a price. It is shown as it is, since a direction
    /// mark in it is meant.
    package init(own text: String) { self.init(text) }

    /// Text from outside, such as an error's reason, as ``Swift/String/shown``.
    package init(shown text: String) { self.init(("\(reason: text)" as Sentence).text) }
}

extension LocalizedStringKey.StringInterpolation {
    /// Appends text of the developer, the store or the system.
    package mutating func appendInterpolation(own text: String) { appendInterpolation(text) }

    /// Appends text from outside.
    package mutating func appendInterpolation(shown text: String) {
        appendInterpolation(("\(reason: text)" as Sentence).text)
    }
}
#endif
