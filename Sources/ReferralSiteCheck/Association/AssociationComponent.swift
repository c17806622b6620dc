/// A component of an association file, or one of its older `paths`: patterns for the parts of an address.
struct AssociationComponent {
    enum Query {
        case text(AssociationPattern)
        /// The patterns of items, by name.
        case items([String: AssociationPattern])
    }

    /// The offset in the file.
    let offset: Int
    let path: Path?
    let query: Query?
    let fragment: AssociationPattern?
    let isExclude: Bool
    let ignoresCase: Bool
    /// Whether an address is compared with its escapes.
    let comparesEscapes: Bool

    /// The patterns for a path without slashes at its end. A pattern that ends with `/*` also matches the path before it.
    struct Path {
        let text: String
        let patterns: [AssociationPattern]

        init(_ text: String, ignoringCase: Bool) {
            self.text = text
            // The slash at the beginning may be missing.
            let rest = text.utf8.drop { $0 == ASCII.slash }
            let path =
                rest.first == ASCII.asterisk && rest.count == text.utf8.count ? text : "/" + String(Substring(rest))
            // Every path begins with a slash.
            let pattern = path == "/*" ? "*" : path.withoutLastSlashes
            patterns =
                ([pattern] + (pattern.hasSuffix("/*") ? [String(pattern.dropLast(2)).withoutLastSlashes] : []))
                .map { AssociationPattern($0, ignoringCase: ignoringCase) }
        }

        func matches(_ matcher: inout AssociationMatcher) -> Bool {
            patterns.contains { matcher.matches($0) }
        }
    }

    /// Reads a component whose members include those of the defaults.
    init(offset: Int, _ members: [String: JSONValue]) {
        self.offset = offset
        isExclude = members["exclude"]?.bool ?? false
        let ignoresCase = !(members["caseSensitive"]?.bool ?? true)
        self.ignoresCase = ignoresCase
        comparesEscapes = members["percentEncoded"]?.bool ?? true
        path = members["/"]?.safeString.map { Path($0, ignoringCase: ignoresCase) }
        fragment = members["#"]?.safeString.map { AssociationPattern($0, ignoringCase: ignoresCase) }
        query = members["?"].flatMap { Self.query($0, ignoringCase: ignoresCase) }
    }

    /// Reads an element of `paths`.
    init(offset: Int, path text: String) {
        self.offset = offset
        isExclude = text.hasPrefix("NOT ")
        path = Path(isExclude ? String(text.dropFirst(4)) : text, ignoringCase: false)
        query = nil
        fragment = nil
        ignoresCase = false
        comparesEscapes = true
    }

    /// The name of an item whose pattern matches any text, and so a missing item, too.
    var optionalItem: String? {
        guard case .items(let items) = query else { return nil }
        return items.filter(\.value.isAnyText).keys.min()
    }

    /// The patterns of a query. If a value isn't a string, there are none.
    private static func query(_ value: JSONValue, ignoringCase: Bool) -> Query? {
        if let text = value.safeString { return .text(AssociationPattern(text, ignoringCase: ignoringCase)) }
        guard let members = value.members else { return nil }
        var items: [String: AssociationPattern] = [:]
        for (name, value) in members {
            guard let text = value.safeString else { return nil }
            items[name] = AssociationPattern(text, ignoringCase: ignoringCase)
        }
        return .items(items)
    }
}

// MARK: - Covering

extension AssociationComponent {
    /// The number of tokens in all patterns.
    var size: Int {
        let paths = path?.patterns.reduce(0) { $0 + $1.tokens.count } ?? 0
        let queries =
            switch query {
            case nil: 0
            case .text(let pattern): pattern.tokens.count
            case .items(let items): items.values.reduce(0) { $0 + 1 + $1.tokens.count }
            }
        return paths + queries + (fragment?.tokens.count ?? 0)
    }

    /// Whether the component matches every address that another one matches. In doubt, it is `false`.
    func covers(_ other: AssociationComponent, _ variables: AssociationVariables) -> Bool {
        if path == nil, query == nil, fragment == nil { return true }
        guard ignoresCase == other.ignoresCase, comparesEscapes == other.comparesEscapes else { return false }
        return covers(path: other.path, variables) && coversQuery(of: other, variables)
            && Self.covers(fragment, other.fragment, variables)
    }

    /// Whether the component's path matches every path that another one matches.
    func covers(path other: Path?, _ variables: AssociationVariables) -> Bool {
        guard let path, !path.patterns[0].isAnyText else { return true }
        guard let other else { return false }
        return other.patterns.allSatisfy { pattern in
            var matcher = AssociationMatcher(pattern.tokens, variables)
            return path.matches(&matcher)
        }
    }

    private func coversQuery(of other: AssociationComponent, _ variables: AssociationVariables) -> Bool {
        switch (query, other.query) {
        case (nil, _): return true
        case (.text(let pattern), .text(let other)): return Self.covers(pattern, other, variables)
        case (.text(let pattern), _): return pattern.isAnyText
        case (.items(let items), let query):
            var others: [String: AssociationPattern] = [:]
            if case .items(let items) = query { others = items }
            return items.allSatisfy { Self.covers($0.value, others[$0.key], variables) }
        }
    }

    /// A missing pattern matches every text.
    private static func covers(
        _ pattern: AssociationPattern?,
        _ other: AssociationPattern?,
        _ variables: AssociationVariables
    ) -> Bool {
        guard let pattern, !pattern.isAnyText else { return true }
        guard let other else { return false }
        var matcher = AssociationMatcher(other.tokens, variables)
        return matcher.matches(pattern)
    }
}

extension String {
    fileprivate var withoutLastSlashes: String {
        var bytes = utf8[...]
        while bytes.last == ASCII.slash { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

// MARK: - Addresses

/// An address that components are compared with.
struct AssociationAddress {
    private struct Form: Hashable {
        let ignoresCase: Bool
        let comparesEscapes: Bool
    }

    /// The parts of the address in one form.
    private struct Parts {
        var path: AssociationMatcher
        var query: AssociationMatcher
        var fragment: AssociationMatcher
        /// The values of the items, by name. An item without a value is empty.
        var items: [String: [AssociationMatcher]]
        /// The value of a missing item.
        var missingItem: AssociationMatcher
    }

    private let parts: WebAddress
    private let variables: [String: [String]]
    private var forms: [Form: Parts] = [:]

    init(_ address: String, variables: [String: [String]]) {
        parts = WebAddress(address)
        self.variables = variables
    }

    mutating func matches(_ component: AssociationComponent) -> Bool {
        let form = Form(ignoresCase: component.ignoresCase, comparesEscapes: component.comparesEscapes)
        // Taken out, so that nothing is copied when it is changed.
        var parts = forms.removeValue(forKey: form) ?? parts(in: form)
        defer { forms[form] = parts }
        return component.path?.matches(&parts.path) != false && Self.matches(component.query, &parts)
            && component.fragment.map { parts.fragment.matches($0) } != false
    }

    private static func matches(_ query: AssociationComponent.Query?, _ parts: inout Parts) -> Bool {
        switch query {
        case nil: return true
        case .text(let pattern): return parts.query.matches(pattern)
        case .items(let items):
            return items.allSatisfy { name, pattern in
                guard let count = parts.items[name]?.count else { return parts.missingItem.matches(pattern) }
                // Every item with the name must match.
                return (0..<count).allSatisfy { parts.items[name]?[$0].matches(pattern) == true }
            }
        }
    }

    private func parts(in form: Form) -> Parts {
        let variables = AssociationVariables(variables, ignoresCase: form.ignoresCase)
        func matcher(_ text: String) -> AssociationMatcher {
            AssociationMatcher(AssociationPattern.text(text, ignoringCase: form.ignoresCase), variables)
        }
        func text(_ part: some StringProtocol) -> String {
            form.comparesEscapes ? String(part) : PercentEncoding.decode(part.utf8)
        }
        let path = parts.path.isEmpty ? "/" : text(parts.path)
        var items: [String: [AssociationMatcher]] = [:]
        for item in (parts.query ?? "").utf8.split(separator: ASCII.ampersand) {
            let nameEnd = item.firstIndex(of: ASCII.equals) ?? item.endIndex
            items[text(Substring(item[..<nameEnd])), default: []].append(
                matcher(text(Substring(item[nameEnd...].dropFirst())))
            )
        }
        return Parts(
            path: matcher(path.withoutLastSlashes),
            query: matcher(text(parts.query ?? "")),
            fragment: matcher(text(parts.fragment.dropFirst())),
            items: items,
            missingItem: matcher("")
        )
    }
}
