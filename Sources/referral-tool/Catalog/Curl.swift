#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's curl. With Foundation's networking, the static command would be many times as large, and not static.
enum Curl {
    private static let notFound = 127

    /// Fetches an address under the rules of the library: no redirect to a less safe address, and at most five.
    ///
    /// - Returns: The bytes; `nil` if there are more than the limit allows.
    static func fetch(_ address: String, atMost limit: Int) throws(ToolError) -> [UInt8]? {
        let redirects = address.lowercased().hasPrefix("https:") ? "=https" : "=https,http"
        let command = """
            curl --disable --globoff --fail --silent --show-error --max-time 20 --max-filesize \(limit) --proto =https,http \
            --location --max-redirs 5 --proto-redir \(redirects) -- \(quoted(address)) 2>&1
            """
        guard let pipe = popen(command, "r") else {
            throw .inputOutput("\(address): cannot run curl: \(ByteStream.reason)")
        }
        let read = Result { () throws(ToolError) in
            try ByteStream(descriptor: fileno(pipe), name: address).readAll(atMost: limit)
        }
        let status = Int(pclose(pipe) >> 8 & 0xFF)
        // If nobody reads its output, curl ends with an error.
        guard let bytes = try read.get() else { return nil }
        switch status {
        case 0: return bytes
        case notFound:
            throw ToolError(status: .unavailable, message: "\(address): install curl, or name a file")
        case 63: return nil
        default: throw .inputOutput("\(address): \(message(in: bytes) ?? "curl ended with status \(status)")")
        }
    }

    /// Finds curl's message, such as `curl: (22) The requested URL returned error: 404`, at the end of the downloaded
    /// bytes.
    private static func message(in bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let messages = lines.compactMap { line in
            line.firstRange(of: "curl: (").map { String(line[$0.lowerBound...]) }
        }
        return messages.last
    }

    /// A word for the shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
