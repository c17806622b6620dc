extension Unicode.Scalar {
    /// Whether a terminal or a text field would act on the character instead of showing it: controls, line and paragraph
    /// separators, and bidirectional controls.
    package var isDisplayControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
        case 0x2028, 0x2029: true  // line and paragraph separator
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // Bidi_Control in Unicode's PropList.txt
        default: false
        }
    }
}
