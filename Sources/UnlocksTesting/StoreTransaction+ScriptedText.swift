import ReferralFoundation
import Unlocks

extension StoreTransaction {
    /// The transaction in JWS's compact form, with members of the App Store's. Its signature isn't one.
    var scriptedText: String {
        let environments: [StoreEnvironment: String] = [
            .production: "Production", .sandbox: "Sandbox", .xcode: "Xcode",
        ]
        let texts = [
            ("transactionId", id), ("originalTransactionId", originalID), ("productId", productID.rawValue),
            ("bundleId", app), ("environment", environment.flatMap { environments[$0] }),
            ("inAppOwnershipType", isFamilyShared ? "FAMILY_SHARED" : "PURCHASED"),
        ]
        let dates = [
            ("purchaseDate", purchaseDate), ("signedDate", signedDate), ("expiresDate", expirationDate),
            ("revocationDate", isRevoked ? signedDate : nil),
        ]
        let members =
            texts.compactMap { name, text in text.map { (name, JSONWriter.string($0)) } }
            + dates.compactMap { name, date in date.map { (name, JSONWriter.number(Timestamp($0).milliseconds)) } }
            + [("quantity", String(quantity))]
        let parts = [#"{"alg":"none"}"#, JSONWriter.object(members), "scripted"]
        return parts.map { Base64.encode($0.utf8, .url) }.joined(separator: ".")
    }
}
