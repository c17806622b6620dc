import WebFiles

/// The values of the predefined variables. Those of `$(region)` and `$(lang)` are Foundation's lists of codes, which are lines of a
/// file, because Foundation would add its data on all locales to a static build.
enum AssociationNames {
    static let values: [String: [String]] = {
        let (lower, digits) = ("a b c d e f g h i j k l m n o p q r s t u v w x y z", "0 1 2 3 4 5 6 7 8 9")
        let upper = lower.uppercased()
        let codes = String(cString: WebFiles.association_codes_txt).split(separator: "\n").map(String.init)
        let values = [
            "region": codes[0], "lang": codes[1], "lower": lower, "upper": upper, "alpha": lower + " " + upper,
            "digit": digits, "alnum": [lower, upper, digits].joined(separator: " "),
            "xdigit": digits + " a b c d e f A B C D E F",
        ]
        return values.mapValues { list in list.split(separator: " ").map { String($0) } }
    }()
}
