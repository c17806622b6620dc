/// The members that systems know in an association file, and the forms of their values.
///
/// A member of another form doesn't count, and a component without patterns matches every address.
enum AssociationForm {
    private indirect enum Form: Sendable {
        case any, text, flag
        case list(Form)
        case object([String: Form])
        /// An object with any names.
        case table(Form)
        case either(Form, Form)
        case component
    }

    private static let apps = Form.object(["apps": .list(.text)])
    private static let entry = Form.object([
        "appIDs": .list(.text), "appID": .text, "components": .list(.component), "paths": .list(.text),
        "defaults": .component,
    ])
    private static let file = Form.object([
        "applinks": .object([
            "apps": .any, "details": .either(.list(entry), .table(entry)), "defaults": .component,
            "substitutionVariables": .table(.list(.text)),
        ]),
        "appclips": apps, "webcredentials": apps, "activitycontinuation": apps,
    ])
    private static let component: [String: Form] = [
        "/": .text, "?": .either(.text, .table(.text)), "#": .text, "exclude": .flag, "caseSensitive": .flag,
        "percentEncoded": .flag, "comment": .any,
    ]

    /// Names of a component's members that people expect, and the correct ones.
    private static let expected = [
        "path": "/", "paths": "/", "pathname": "/", "url": "/", "query": "?", "queryitems": "?", "params": "?",
        "fragment": "#", "hash": "#", "not": "exclude",
    ]

    /// The problems of a file that isn't too large, in order.
    static func problems(in document: SiteDocument) -> [Rule.Problem] {
        guard !document.isTooLarge else { return [] }
        return document.bytes.withUnsafeBufferPointer { bytes in
            (try? JSONValue(object: bytes)).map { problems(of: $0, "the file", file) } ?? []
        }
    }

    private static func problems(of value: JSONValue, _ name: Sentence, _ form: Form) -> [Rule.Problem] {
        func wrong(_ form: Sentence) -> [Rule.Problem] {
            [Rule.Problem(value.range.lowerBound, "\(name) must be \(form)")]
        }
        switch form {
        case .any: return []
        case .text: return value.string == nil ? wrong("a text in quotation marks") : []
        case .flag: return value.bool == nil ? wrong("true or false, without quotation marks") : []
        case .list(let form):
            return value.array?.flatMap { problems(of: $0, "an element of \(name)", form) } ?? wrong("an array")
        case .object(let forms): return problems(ofObject: value, forms, isComponent: false) ?? wrong("an object")
        case .component:
            return problems(ofObject: value, component, isComponent: true)
                ?? wrong(#"an object, such as {"/": \#(name: value.string == nil ? #""/get""# : value.text)}"#)
        case .table(let form):
            var found: [Rule.Problem] = []
            let read: Void? = try? value.readObject { found += problems(of: $1, "\(quoted: $0.content)", form) }
            return read == nil ? wrong("an object") : found
        case .either(let first, let second):
            let found = problems(of: value, name, first)
            return found.first?.place == value.range.lowerBound ? problems(of: value, name, second) : found
        }
    }

    /// The problems of an object; `nil` if it isn't one.
    private static func problems(
        ofObject value: JSONValue,
        _ forms: [String: Form],
        isComponent: Bool
    ) -> [Rule.Problem]? {
        guard let names = value.members?.keys else { return nil }
        let hasPatterns = !isComponent || ["/", "?", "#"].contains(where: names.contains)
        var found: [Rule.Problem] = []
        try? value.readObject { name, value in
            let text = name.content.streamSafe
            let offset = name.range.lowerBound
            if let form = forms[text] {
                found += problems(of: value, "\(quoted: text)", form)
            } else if let meant = nearest(to: text, in: forms, isComponent) {
                let message: Sentence = "systems don't know the member \(quoted: text); write \(quoted: meant)"
                found.append(Rule.Problem(offset, message))
            } else if isComponent {
                let effect: Sentence = hasPatterns ? "which has no effect" : "and this component matches every address"
                let message: Sentence = "systems don't know the member \(quoted: text), \(effect)"
                found.append(Rule.Problem(offset, message, isNote: hasPatterns))
            }
        }
        return found
    }

    private static func nearest(to name: String, in forms: [String: Form], _ isComponent: Bool) -> String? {
        guard name.utf8.count <= 32 else { return nil }
        let written = name.asciiLowercased
        if isComponent, let meant = expected[written] { return meant }
        return forms.keys.sorted().first { known in
            // A comment may have any name.
            guard known != "comment" else { return false }
            let distance = Spelling.distance(Array(written.utf8), Array(known.asciiLowercased.utf8))
            return distance <= (known.utf8.count > 7 ? 2 : known.utf8.count > 3 ? 1 : 0)
        }
    }
}
