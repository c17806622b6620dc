import Foundation
import TestSupport
import Testing
import Unlocks

/// The cases of an independent reference.
struct VectorTests {
    @Test("versions are compared as the reference does", arguments: UnlocksVectors.all.versions)
    func version(_ vector: UnlocksVectors.Versions) {
        guard let a = VersionNumber(vector.a), let b = VersionNumber(vector.b) else {
            #expect(vector.order == nil)
            return
        }
        #expect(vector.order == (a < b ? -1 : a == b ? 0 : 1))
        #expect((a == b) == (a.hashValue == b.hashValue))
    }

    @Test("catalogs are read, and offered, as the reference does", arguments: UnlocksVectors.all.catalogs)
    func catalog(_ vector: UnlocksVectors.CatalogCase) throws {
        let catalog: ShopCatalog
        do {
            catalog = try ShopCatalog(json: vector.bytes)
        } catch {
            #expect(Self.name(error) == vector.result.error)
            return
        }
        #expect(vector.result.error == nil)
        #expect(catalog.revision == vector.result.revision)
        let places = catalog.rejections.map { $0.path.replacing(/(\]\.\w+).*/) { $0.1 } }
        #expect(places == vector.result.rejectedPlaces)
        let context = ShopContext(
            appVersion: vector.context.appVersion,
            platform: CatalogItem.Platform(rawValue: vector.context.platform),
            edition: vector.context.edition,
            languages: vector.context.languages
        )
        let onlyByPlans = vector.onlyByPlans ?? []
        let owned = Set(vector.owned).subtracting(vector.openForNow ?? []).subtracting(onlyByPlans)
        var holdings = Holdings()
        holdings.price = { vector.store[$0.rawValue] }
        holdings.isOwned = owned.contains
        holdings.isSubscribed = onlyByPlans.contains
        holdings.isPlan = { vector.plans?.contains($0) ?? false }
        holdings.trial = { vector.trials?[$0.rawValue].flatMap(Holdings.Trial.init) }
        holdings.isWaiting = vector.pending.contains
        holdings.canPay = vector.payments ?? true
        let offers = catalog.offers(in: context, holdings)
        #expect(offers.map(Self.offered) == vector.result.offers)
        if let expected = vector.result.sections {
            let sections = catalog.sections(of: offers, languages: context.languages)
            #expect(sections.map { .init(title: $0.text?.title, items: $0.offers.map(\.item.id.rawValue)) } == expected)
        }
    }

    @Test("who bought before is judged as the reference does", arguments: UnlocksVectors.all.paidBefore)
    func paidBefore(_ vector: UnlocksVectors.PaidBeforeCase) throws {
        let firstFreeVersions = Dictionary(
            uniqueKeysWithValues: vector.firstFreeVersions.map { (CatalogItem.Platform(rawValue: $0), $1) }
        )
        let environment = try #require(StoreEnvironment(rawValue: vector.environment))
        let purchase = vector.transaction.map { transaction in
            AppPurchase(
                id: transaction.id,
                isVerified: transaction.verified,
                isRevoked: transaction.revoked,
                originalPlatform: transaction.originalPlatform.map(CatalogItem.Platform.init(rawValue:)),
                originalVersion: transaction.originalVersion,
                originalPurchase: transaction.originalPurchase,
                environment: environment
            )
        }
        var kept = vector.kept
        let answer = PaidBefore(
            grants: ["pro"],
            firstFreeVersions: firstFreeVersions,
            date: vector.date,
            testAnswer: vector.override
        )
        .answer(
            for: purchase,
            on: CatalogItem.Platform(rawValue: vector.platform),
            kept: &kept
        )
        #expect(answer.isYes == ["yes": true, "no": false][vector.answer])
        #expect(answer.reason.rawValue == vector.reason)
        #expect(kept == vector.keptAfter)
    }

    private static func name(_ error: CatalogError) -> String {
        switch error {
        case .tooLarge: "tooLarge"
        case .notUTF8: "notUTF8"
        case .notAnObject: "notAnObject"
        case .wrongMember(let member): member.path == "format" ? "format" : "notAnObject"
        }
    }

    private static func offered(_ offer: ShopOffer) -> UnlocksVectors.CatalogCase.Offered {
        var (price, minimum, reason): (String?, String?, String?)
        if case .forSale(let text) = offer.state { price = text }
        if case .otherPlan(let text) = offer.state { price = text }
        if case .updateFirst(let version) = offer.state { minimum = version }
        if offer.state == .unavailable(.notAllowed) { reason = "notAllowed" }
        let item = offer.item
        let pictures = item.pictures.map(Self.text)
        return .init(
            id: item.id.rawValue,
            state: String("\(offer.state)".prefix(while: \.isLetter)),
            price: price,
            minimum: minimum,
            reason: reason,
            title: offer.text?.title,
            icon: item.icon.map(Self.text),
            about: offer.about,
            pictures: pictures.isEmpty ? nil : pictures,
            page: item.page?.absoluteString
        )
    }

    private static func text(_ picture: CatalogItem.Picture) -> String {
        switch picture {
        case .named(let name): name
        case .address(let url): url.absoluteString
        }
    }
}
