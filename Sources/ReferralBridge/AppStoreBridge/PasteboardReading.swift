/// What was read from the pasteboard and isn't finished: nobody is asked for it again.
struct PasteboardReading {
    let contents: PasteboardContents

    /// When the check began. An answer counts from then, however late it comes.
    var moment: Timestamp

    /// Whether a tap in it lies a little too far ahead, so that it counts later.
    var awaitsTap = false

    /// Whether it waits for the store.
    var awaitsStore = false
}
