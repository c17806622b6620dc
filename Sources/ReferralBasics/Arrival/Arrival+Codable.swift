extension Arrival: Codable {
    private enum CodingKeys: String, CodingKey { case payload, road, isSigned, destination }

    /// Reads an arrival that a ledger has saved.
    ///
    /// - Throws: `DecodingError` if it isn't one. Its payload and its destination are checked again.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let payload = try values.decode(String.self, forKey: .payload)
        let referral: Referral
        do { referral = try Referral(payload: payload) } catch {
            throw DecodingError.dataCorruptedError(forKey: .payload, in: values, debugDescription: error.description)
        }
        self.init(
            referral,
            road: try values.decode(Road.self, forKey: .road),
            isSigned: try values.decode(Bool.self, forKey: .isSigned),
            destination: Destination.checked(try values.decodeIfPresent(String.self, forKey: .destination))
        )
    }

    /// Writes the payload, the road, whether it is signed, and the destination.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(referral.payload, forKey: .payload)
        try values.encode(road, forKey: .road)
        try values.encode(isSigned, forKey: .isSigned)
        try values.encodeIfPresent(destination, forKey: .destination)
    }
}
