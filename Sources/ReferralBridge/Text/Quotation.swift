extension String {
    /// The text between quotation marks, shortened to 80 characters, for a message.
    package var quoted: String {
        "'" + (unicodeScalars.count > 80 ? String(unicodeScalars.prefix(80)) + "…" : self) + "'"
    }
}
