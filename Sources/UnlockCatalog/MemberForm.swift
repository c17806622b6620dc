import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The required form of a catalog's member, in words and as code.
struct MemberForm<Value> {
    /// The words after "it must be".
    let requirement: String
    /// Returns the value; `nil` if it has another form.
    let read: (JSONValue) -> Value?
}

extension MemberForm<String> {
    static var name: Self { MemberForm(requirement: "a text of 1 to \(Name.maximumLength) bytes", read: \.name) }

    static var text: Self { MemberForm(requirement: "a text", read: \.string) }

    static var version: Self {
        MemberForm(requirement: "a version of 1 to 8 numbers separated by dots, such as \"2.1\"") { value in
            value.string.flatMap { VersionNumber($0) == nil ? nil : $0 }
        }
    }

    /// One of the given words.
    static func oneOf(_ words: String...) -> Self {
        let last = words.last.map { " or \"\($0)\"" } ?? ""
        let requirement = words.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + last
        return MemberForm(requirement: requirement) { value in value.string.flatMap { words.contains($0) ? $0 : nil } }
    }
}

extension MemberForm<[String]> {
    static var names: Self {
        MemberForm(requirement: "a list of texts of 1 to \(Name.maximumLength) bytes", read: \.names)
    }

    static var someNames: Self {
        MemberForm(requirement: "a list of at least one text of 1 to \(Name.maximumLength) bytes") { value in
            value.names.flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}

extension MemberForm<Bool> {
    static var bool: Self { MemberForm(requirement: "true or false", read: \.bool) }
}

extension MemberForm<Int> {
    static var amount: Self {
        MemberForm(requirement: "a whole number from 1 to 1000000") { $0.wholeNumber(in: CatalogItem.amounts) }
    }

    /// A whole number that is at least this one.
    static func atLeast(_ least: Int) -> Self {
        MemberForm(requirement: "a whole number of at least \(least)") { $0.wholeNumber(in: least...Int.max) }
    }

    static func exactly(_ number: Int) -> Self {
        MemberForm(requirement: "\(number)") { $0.wholeNumber(in: number...number) }
    }
}

extension MemberForm<Date> {
    static var date: Self {
        MemberForm(requirement: "a time such as \"2026-11-21T00:00:00Z\"") { value in
            value.string.flatMap { ISO8601.milliseconds($0).map { Date(timeIntervalSince1970: $0 / 1_000) } }
        }
    }
}

extension MemberForm<URL> {
    static var address: Self {
        MemberForm(requirement: "an address") { $0.string.flatMap(URL.init(string:)) }
    }
}

extension MemberForm<[JSONValue]> {
    static var list: Self { MemberForm(requirement: "a list", read: \.array) }
}

extension MemberForm<[String: CatalogItem.Text]> {
    static var texts: Self {
        MemberForm(requirement: "an object with an object for each language, which contains a title", read: \.texts)
    }
}
