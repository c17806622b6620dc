import ReferralFoundation

/// A value in a file of the app's own storage, which several processes may change, one at a time.
struct Stored<Value: Codable & Equatable & Sendable>: Sendable {
    let name: String
    let folder: URL
    /// The value if the file is missing or damaged.
    let initial: Value

    func value() throws(HandoffError) -> Value { try FileSystem.load(Value.self, name, in: folder) ?? initial }

    /// Changes the value. If only flushing the folder fails, the value is changed until power is lost.
    func change<Result>(
        _ change: (inout Value) throws(HandoffError) -> Result
    ) throws(HandoffError) -> Result {
        try FileSystem.locking(folder) { () throws(HandoffError) in
            let before = try value()
            var after = before
            let result = try change(&after)
            if after != before { try FileSystem.save(after, as: name, in: folder) }
            return result
        }
    }
}
