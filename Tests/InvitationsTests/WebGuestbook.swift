import Foundation
import ReferralInvitations

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A guestbook on the app's own server.
struct WebGuestbook: Guestbook {
    /// The address of the server, such as `https://example.com/guestbook`.
    let server: URL
    /// The token that proves to the server who the user is; `nil` if nobody is signed in.
    let token: @Sendable () async -> String?

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        struct Answer: Decodable { let isNew: Bool }
        let day = entry.day.formatted(.iso8601.year().month().day())
        let question = ["program": entry.program, "referrer": entry.referrer, "event": entry.event, "day": day]
        let answer: Answer = try await ask("sign", question)
        return answer.isNew ? .signed : .alreadySigned
    }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        struct Record: Decodable { let user, program: String }
        struct Answer: Decodable {
            let records: [Record]
            let cursor: String
            let isLast: Bool
        }
        var question = ["referrer": referrer]
        question["after"] = cursor
        let answer: Answer = try await ask("records", question)
        let records = answer.records.map { record in
            let name = GuestbookRecord.name(creator: record.user, program: record.program)
            return GuestbookRecord(name: name, creator: record.user, program: record.program)
        }
        return GuestbookPage(records, cursor: answer.cursor, isLast: answer.isLast)
    }

    func myself() async throws(GuestbookError) -> String {
        struct Answer: Decodable { let user: String }
        let answer: Answer = try await ask("myself", [:])
        return answer.user
    }

    private func ask<Answer: Decodable>(
        _ function: String,
        _ question: [String: String]
    ) async throws(GuestbookError) -> Answer {
        guard let token = await token() else { throw .notSignedIn }
        var request = URLRequest(url: server.appendingPathComponent(function))
        request.httpMethod = "POST"
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        request.httpBody = try? JSONEncoder().encode(question)
        guard let (data, response) = try? await URLSession.shared.data(for: request),
            let response = response as? HTTPURLResponse
        else { throw .offline }
        switch response.statusCode {
        case 200:
            guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else { break }
            return answer
        case 401: throw .notSignedIn
        case 400, 403, 413: throw .notAllowed("status \(response.statusCode)")
        case 429, 503:
            guard let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init) else { break }
            throw .retryAfter(seconds)
        default: break
        }
        throw .failed("status \(response.statusCode)")
    }
}
