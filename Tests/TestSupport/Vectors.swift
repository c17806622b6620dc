package import Foundation

/// Rules as data, judged by an independent reference: a file of the folder that the environment variable `REFERRAL_VECTORS` names,
/// or else of `Tests/Vectors`.
package func readVectors<Value: Decodable>(
    _ name: String,
    as type: Value.Type,
    dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
) throws -> Value {
    let named = ProcessInfo.processInfo.environment["REFERRAL_VECTORS"] ?? ""
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = named.isEmpty ? tests.appending(path: "Vectors") : URL(filePath: named)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = dates
    return try decoder.decode(type, from: Data(contentsOf: folder.appending(path: "\(name).json")))
}

/// The same for a suite that is nothing without them.
package func vectors<Value: Decodable>(
    _ name: String,
    as type: Value.Type,
    dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
) -> Value {
    do {
        return try readVectors(name, as: type, dates: dates)
    } catch {
        fatalError("\(name).json: \(error)")
    }
}

/// JSON in a file of vectors, as text.
package struct JSONText: Decodable, Sendable {
    package let text: String

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Value.self)
        text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private enum Value: Codable {
        case object([String: Value])
        case array([Value])
        case string(String)
        case number(Double)
        case bool(Bool)
        case null

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let bool = try? value.decode(Bool.self) {
                self = .bool(bool)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let string = try? value.decode(String.self) {
                self = .string(string)
            } else if let array = try? value.decode([Value].self) {
                self = .array(array)
            } else {
                self = .object(try value.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .object(let members): try value.encode(members)
            case .array(let values): try value.encode(values)
            case .string(let string): try value.encode(string)
            case .number(let number): try value.encode(number)
            case .bool(let bool): try value.encode(bool)
            case .null: try value.encodeNil()
            }
        }
    }
}
