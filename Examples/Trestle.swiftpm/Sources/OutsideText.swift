extension String {
    /// Text from outside in a form that is safe to show: a character that would control the display, such as a change
    /// of direction, is shown as its number.
    var shown: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isObeyed {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

private extension Unicode.Scalar {
    var isObeyed: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
