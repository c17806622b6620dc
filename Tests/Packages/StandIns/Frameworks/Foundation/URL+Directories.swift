/// Foundation's on Apple's platforms; Linux has none.
extension URL {
    public static var documentsDirectory: URL { temporaryDirectory.appending(path: "Documents") }
    public static var applicationSupportDirectory: URL { temporaryDirectory.appending(path: "Application Support") }
}
