/// A component of an association file, or one of its older `paths`: patterns for the parts of an address.
package struct AssociationComponent {
    /// The form in which an address is compared.
    struct Form: Hashable {
        var ignoresCase = false
        var comparesEscapes = true
    }

    enum Query {
        case text(AssociationPattern)
        /// The patterns of items, by name.
        case items([String: AssociationPattern])
    }

    /// The offset in the file.
    let offset: Int
    /// Whether it excludes an address that it matches. Otherwise, the app opens the address.
    package let isExclude: Bool
    private(set) var form = Form()
    /// The patterns for a path without slashes at its end. A pattern that ends with `/*` also matches the path before it.
    let path: [AssociationPattern]?
    private(set) var query: Query?
    private(set) var fragment: AssociationPattern?

    /// Reads a component whose members include those of the defaults.
    init(offset: Int, _ members: [String: JSONValue]) {
        self.offset = offset
        isExclude = members["exclude"]?.bool ?? false
        let ignoresCase = !(members["caseSensitive"]?.bool ?? true)
        form = Form(ignoresCase: ignoresCase, comparesEscapes: members["percentEncoded"]?.bool ?? true)
        func pattern(_ value: JSONValue?) -> AssociationPattern? {
            value?.safeString.map { AssociationPattern($0, ignoringCase: ignoresCase) }
        }
        let isSpelled = form.comparesEscapes
        path = members["/"]?.safeString.map { Self.path($0, ignoringCase: ignoresCase, isSpelled: isSpelled) }
        fragment = pattern(members["#"])
        query = pattern(members["?"]).map(Query.text)
        // If a value isn't a string, there are no patterns.
        if let items = members["?"]?.members, items.values.allSatisfy({ $0.string != nil }) {
            query = .items(items.compactMapValues(pattern))
        }
    }

    /// Reads an element of `paths`.
    init(offset: Int, path text: String) {
        self.offset = offset
        isExclude = text.hasPrefix("NOT ")
        path = Self.path(isExclude ? String(text.dropFirst(4)) : text, ignoringCase: false)
    }

    private static func path(_ text: String, ignoringCase: Bool, isSpelled: Bool = true) -> [AssociationPattern] {
        // In the spelling of addresses. A space in a pattern matches nothing.
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let text = isSpelled ? words.map(PercentEncoding.spelled).joined(separator: " ") : text
        // The slash at the beginning may be missing.
        let path =
            text.utf8.first == ASCII.asterisk ? text : "/" + String(Substring(text.utf8.drop { $0 == ASCII.slash }))
        // Every path begins with a slash.
        let pattern = path == "/*" ? "*" : path.withoutLastSlashes
        return ([pattern] + (pattern.hasSuffix("/*") ? [String(pattern.dropLast(2)).withoutLastSlashes] : []))
            .map { AssociationPattern($0, ignoringCase: ignoringCase) }
    }

    /// The name of an item whose pattern matches any text, and so a missing item, too.
    var optionalItem: String? {
        guard case .items(let items) = query else { return nil }
        return items.filter(\.value.isAnyText).keys.min()
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
final class AssociationAddress {
    /// The parts of the address in one form.
    private struct Parts {
        let path, query, fragment: AssociationMatcher
        /// The values of the items, by name. An item without a value is empty.
        var items: [String: [AssociationMatcher]] = [:]
        /// The value of a missing item.
        let missingItem: AssociationMatcher

        init(_ address: WebAddress, _ form: AssociationComponent.Form, _ values: [String: [String]]) {
            func text(_ part: Substring) -> String {
                form.comparesEscapes ? PercentEncoding.spelled(part) : PercentEncoding.decode(part.utf8)
            }
            func matcher(_ text: String) -> AssociationMatcher {
                AssociationMatcher(text, values, ignoringCase: form.ignoresCase)
            }
            path = matcher(text(address.path).withoutLastSlashes)
            query = matcher(text(address.query ?? ""))
            fragment = matcher(text(address.fragment.dropFirst()))
            missingItem = matcher("")
            for item in (address.query ?? "").utf8.split(separator: ASCII.ampersand) {
                let nameEnd = item.firstIndex(of: ASCII.equals) ?? item.endIndex
                let value = text(Substring(item[nameEnd...].dropFirst()))
                items[text(Substring(item[..<nameEnd])), default: []].append(matcher(value))
            }
        }

        func match(_ query: AssociationComponent.Query?) -> Bool {
            switch query {
            case nil: return true
            case .text(let pattern): return self.query.matches(pattern)
            case .items(let items):
                // Every item with the name must match.
                return items.allSatisfy { name, pattern in
                    (self.items[name] ?? [missingItem]).allSatisfy { $0.matches(pattern) }
                }
            }
        }
    }

    private let address: WebAddress
    private let variables: [String: [String]]
    private var forms: [AssociationComponent.Form: Parts] = [:]

    init(_ address: String, variables: [String: [String]]) {
        self.address = WebAddress(address)
        self.variables = variables
    }

    func matches(_ component: AssociationComponent) -> Bool {
        let parts = forms[component.form] ?? Parts(address, component.form, variables)
        forms[component.form] = parts
        return component.path?.contains(where: { parts.path.matches($0) }) != false && parts.match(component.query)
            && component.fragment.map { parts.fragment.matches($0) } != false
    }
}
