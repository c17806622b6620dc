import Foundation
import ReferralBridge
import ReferralInvitations
import TestSupport

/// The rules of invitations as data, judged by an independent reference.
struct InviteVectors: Decodable {
    struct Code: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let text: String
        let code: String?
        let error: String?
        let count: Int?

        var description: String { name }
    }

    struct Made: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let symbols: String
        let code: String

        var description: String { name }
    }

    struct RecordName: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let user: String
        let program: String
        let recordName: String

        var description: String { name }
    }

    struct Signing: Decodable, Sendable, CustomStringConvertible {
        struct Program: Decodable, Sendable {
            let program: String
            let event: String
        }

        struct Mine: Decodable, Sendable {
            let code: String?
            let alsoMine: [String]?
            let ownReferrer: String?
        }

        struct Step: Decodable, Sendable {
            let action: String
            let at: Double
            let referrer: String?
            let event: String?
            let code: String?
            let answer: String?
            let seconds: Double?

            private enum CodingKeys: String, CodingKey {
                case at, referrer, event, code, answer, seconds
                case action = "do"
            }
        }

        struct Entry: Decodable, Sendable, Equatable {
            let program: String
            let referrer: String
            let event: String
            let day: String

            init(_ entry: GuestbookEntry) {
                program = entry.program
                referrer = entry.referrer
                event = entry.event
                day = entry.day.formatted(.iso8601.year().month().day())
            }
        }

        let name: String
        let programs: [Program]
        let mine: Mine
        let firstLaunch: Double
        let purchased: Double?
        let steps: [Step]
        let asked: [Entry]
        let pending: [Entry]

        var description: String { name }
    }

    struct Counting: Decodable, Sendable, CustomStringConvertible {
        struct Rejected: Decodable, Sendable, Equatable {
            let index: Int
            let member: String?
        }

        struct Record: Decodable, Sendable {
            let recordName: String
            let creator: String?
            let program: String
            let referrer: String
            let format: Int

            private enum CodingKeys: CodingKey { case recordName, creator, program, referrer, format }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                recordName = try values.decode(String.self, forKey: .recordName)
                creator = try values.decodeIfPresent(String.self, forKey: .creator)
                program = try values.decode(String.self, forKey: .program)
                referrer = try values.decode(String.self, forKey: .referrer)
                // A format that isn't a number is none.
                format = (try? values.decode(Int.self, forKey: .format)) ?? 0
            }

            var record: GuestbookRecord {
                GuestbookRecord(name: recordName, creator: creator, program: program, format: format)
            }
        }

        struct Step: Decodable, Sendable {
            let action: String
            let entries: [Record]?
            let rewards: [JSONText]?

            private enum CodingKeys: String, CodingKey {
                case entries, rewards
                case action = "do"
            }
        }

        let name: String
        let myself: String?
        let rewards: [JSONText]
        let steps: [Step]
        let granted: [String: Int]
        let rejected: [Rejected]

        var description: String { name }
    }

    let codes: [Code]
    let made: [Made]
    let recordNames: [RecordName]
    let counting: [Counting]
    let signing: [Signing]

    static let all = vectors("invites", as: Self.self)
}
