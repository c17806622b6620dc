extension Arguments {
    /// What the `KEY=VALUE` of an option say.
    func parameters(_ option: String) throws(ToolError) -> [String: String] {
        var parameters: [String: String] = [:]
        for text in all(option) {
            guard case (let key, let value?) = text.splitAtEquals, !key.isEmpty else {
                throw .value(text, of: option, "a parameter is KEY=VALUE, such as pack=gold")
            }
            guard parameters.updateValue(value, forKey: key) == nil else {
                throw .value(text, of: option, "the parameter \(ToolError.quoted(key)) is given twice")
            }
        }
        return parameters
    }
}
