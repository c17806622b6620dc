/// Contents of the pasteboard that the bridge read and hasn't finished with. It keeps them, so that nobody is asked again.
struct PasteboardReading: Sendable, Equatable {
    let contents: PasteboardContents

    /// When the check began. The taps are judged by this moment, however late the answer comes.
    var moment: Timestamp
}
