import ReferralFoundation

/// The system's curl. With Foundation's networking, the static command would be many times as large, and not static.
enum Curl {
    /// Fetches an address under the rules of the library: no redirect to a less safe address, and at most five.
    ///
    /// - Returns: The bytes; `nil` if there are more than the limit allows.
    static func fetch(_ address: String, atMost limit: Int) throws(ToolError) -> [UInt8]? {
        let redirects = address.lowercased().hasPrefix("https:") ? "=https" : "=https,http"
        let curl = try ChildProcess(
            "curl",
            [
                "--disable", "--globoff", "--fail", "--silent", "--show-error", "--max-time", "20", "--max-filesize",
                "\(limit)", "--proto", "=https,http", "--location", "--max-redirs", "5", "--proto-redir", redirects,
                "--", address,
            ],
            for: address,
            messages: .inOutput,
            hint: "install curl, or name a file"
        )
        let output = curl.output
        let read = Result { () throws(ToolError) in try output.readAll(atMost: limit) }
        // If nobody reads its output, curl ends with an error.
        output.close()
        let status = curl.wait()
        guard let bytes = try read.get() else { return nil }
        switch status {
        case 0: return bytes
        case 63: return nil
        default:
            throw .inputOutput("\(whole: address): \(reason: message(in: bytes) ?? "curl ended with status \(status)")")
        }
    }

    /// Finds curl's message, such as `curl: (22) The requested URL returned error: 404`, at the end of the downloaded
    /// bytes, whatever a server sent before.
    private static func message(in bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes.suffix(4_096), as: UTF8.self).split(whereSeparator: \.isNewline)
        let messages = lines.compactMap { line in
            line.firstRange(of: "curl: (").map { String(line[$0.lowerBound...]) }
        }
        return messages.last
    }
}
