import ReferralFoundation
import UnlockCatalog

/// The catalog that apps have now, with which a new one is compared.
struct PreviousCatalog {
    static let option = Option(
        "--previous",
        "FILE",
        "the catalog that apps have now: notes items whose kind changes, and a revision that isn't higher"
    )

    private let catalog: ShopCatalog
    private let items: [ItemID: CatalogItem]

    init(_ path: String) throws(ToolError) {
        let stream = try ByteStream(reading: path)
        defer { stream.close() }
        guard let bytes = try stream.readAll(atMost: ShopCatalog.maximumLength) else {
            throw .badData("\(whole: path): \(reason: CatalogError.tooLarge)")
        }
        do throws(CatalogError) { catalog = try ShopCatalog(json: Data(bytes)) } catch {
            throw .badData("\(whole: path): \(reason: error)")
        }
        items = Dictionary(catalog.items.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Notes what a change from this catalog to another one means for users who have an item already.
    func notes(on new: ShopCatalog, _ text: CatalogText) -> [CatalogNotes.Note] {
        var notes: [CatalogNotes.Note] = []
        if new.revision <= catalog.revision, let revision = text.json.member("revision", of: text.json.whole) {
            notes.append(
                (
                    revision.offset,
                    "the revision of the previous catalog is \(catalog.revision); an app uses only a higher one"
                )
            )
        }
        let newItems = Dictionary(new.items.map { ($0.id, $0) }) { first, _ in first }
        for entry in text.entries(of: .item) {
            let members = text.json.members(of: entry)
            func last(_ name: Name) -> JSONPlaces.Member? { members.last { $0.name == name } }
            guard let id = last("id")?.string, let old = items[ItemID(id)], let item = newItems[old.id] else {
                continue
            }
            if old.kind.name != item.kind.name, let kind = last("kind") {
                notes.append(
                    (kind.offset, "the item \(quoted: id) was of the kind \(name: old.kind.name); \(Self.advice)")
                )
            } else if old.isFree, !item.isFree {
                let place = last("free") ?? last("product") ?? last("id")
                notes.append((place?.offset ?? entry.lowerBound, "the item \(quoted: id) was free; \(Self.advice)"))
            }
        }
        return notes
    }

    private static let advice: Sentence = "what users have of it stays what it was, so another item needs another id"
}
