import Foundation

/// The plain way: what one writes with Foundation when speed doesn't matter, with the same rules for good links.
enum Yardstick {
    struct Payload: Codable {
        let timestamp: Double
        let referrer: String
    }

    private static let hosts = ["apps.apple.com", "itunes.apple.com"]

    /// Judges one string, the rules in their order: the referrer of a link to the app whose tap lies inside of the window.
    static func referrer(in string: String, appID: String, now: Double) -> String? {
        guard hosts.contains(where: { string.contains($0) }), string.contains("ed="),
            let components = URLComponents(string: string.trimmingCharacters(in: .whitespacesAndNewlines)),
            let host = components.host, hosts.contains(host.lowercased()),
            components.path.split(separator: "/").last == "id\(appID)",
            var encoded = components.queryItems?.last(where: { $0.name == "ed" })?.value
        else { return nil }
        encoded = encoded.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        encoded += String(repeating: "=", count: (4 - encoded.count % 4) % 4)
        guard let data = Data(base64Encoded: encoded),
            let payload = try? JSONDecoder().decode(Payload.self, from: data),
            !payload.referrer.isEmpty, payload.timestamp > now - 300_000, payload.timestamp <= now + 30_000
        else { return nil }
        return payload.referrer
    }

    /// Puts a referral on a page that has none, in standard base64, which the rules for reading allow.
    static func link(page: String, referrer: String, timestamp: Double) -> String? {
        guard let json = try? JSONEncoder().encode(Payload(timestamp: timestamp, referrer: referrer)),
            var components = URLComponents(string: page)
        else { return nil }
        components.queryItems =
            (components.queryItems ?? []) + [URLQueryItem(name: "ed", value: json.base64EncodedString())]
        return components.string
    }
}
