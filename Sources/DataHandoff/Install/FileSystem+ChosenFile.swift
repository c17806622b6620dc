import ReferralFoundation

extension FileSystem {
    /// Reads a whole file that the user chose. It may be in iCloud or belong to another app's file provider, so it may
    /// have to be downloaded first.
    static func contents(
        ofChosenFile url: URL,
        atMost limit: Int,
        start: Int = .max,
        promise: @escaping @Sendable (_ start: Data) throws(HandoffError) -> Int = { _ in .max }
    ) async throws(HandoffError) -> Data {
        let result = await coordinateReading(url) { place in
            Result { () throws(HandoffError) in
                try contents(of: place, atMost: limit, start: start, promise: promise)
            }
        }
        return try result.get()
    }
}
