import UnlockCatalog

/// The text of a catalog, for the places and values of its errors.
struct CatalogText {
    /// The place of a member or an entry, or the place where it is missing.
    struct Place {
        let offset: Int
        /// The value in the text, shortened to one line; `nil` if it is missing.
        var value: String?
    }

    let json: JSONPlaces
    private var entries: [ShopCatalog.Rejection.List: [Range<Int>]] = [:]

    func entries(of list: ShopCatalog.Rejection.List) -> [Range<Int>] { entries[list] ?? [] }

    init(_ bytes: [UInt8]) {
        json = JSONPlaces(bytes)
        // If a list is repeated, the last one counts.
        for member in json.members(of: json.whole) {
            switch member.name {
            case "items": entries[.item] = json.elements(of: member.value).map(\.value)
            case "rewards": entries[.reward] = json.elements(of: member.value).map(\.value)
            case "sections": entries[.section] = json.elements(of: member.value).map(\.value)
            default: break
            }
        }
    }

    /// The items that an app accepts, with their ranges.
    func items(of catalog: ShopCatalog) -> [(item: CatalogItem, range: Range<Int>)] {
        let rejected = Set(catalog.rejections.filter { $0.list == .item && !$0.isMemberOnly }.map(\.index))
        let accepted = entries(of: .item).enumerated().filter { !rejected.contains($0.offset) }
        return zip(catalog.items, accepted.map(\.element)).map { ($0, $1) }
    }

    /// The place of the error in a rejected entry, and the sentence about it.
    func finding(on rejection: ShopCatalog.Rejection) -> CatalogFinding.Unplaced {
        guard let list = entries[rejection.list], list.indices.contains(rejection.index) else {
            return CatalogFinding.Unplaced(0, .leftOut(rejection), "\(whole: rejection.description)")
        }
        let entry = list[rejection.index]
        if rejection.list == .item, rejection.member == "files", let wrong = wrongFile(in: entry) {
            let place = place(of: wrong.member, in: wrong.range)
            let message = rejection.description(
                value: place.value,
                part: ("its file at index \(wrong.index)", wrong.member)
            )
            return CatalogFinding.Unplaced(place.offset, .leftOut(rejection), "\(whole: message)")
        }
        let place = place(of: rejection.wrongMember, in: entry)
        let message = rejection.description(value: place.value)
        return CatalogFinding.Unplaced(place.offset, .leftOut(rejection), "\(whole: message)")
    }

    private struct WrongFile {
        let index: Int
        let range: Range<Int>
        let member: ShopCatalog.WrongMember
    }

    /// The first invalid file of an item.
    private func wrongFile(in item: Range<Int>) -> WrongFile? {
        guard let files = json.member("files", of: item) else { return nil }
        let ranges = json.elements(of: files.value).map(\.value)
        guard ranges.count <= CatalogItem.File.maximumCount else { return nil }
        for (index, range) in ranges.enumerated() {
            if let member = CatalogItem.File.wrongMember(in: Array(json.bytes[range])) {
                return WrongFile(index: index, range: range, member: member)
            }
        }
        let paths = ranges.map { json.member("path", of: $0)?.string ?? "" }
        guard let path = FileNames.firstInvalid(paths), let index = paths.lastIndex(of: path) else { return nil }
        return WrongFile(index: index, range: ranges[index], member: .unsafePath)
    }

    /// The place of an invalid member in an object, by default in the catalog itself.
    func place(of member: ShopCatalog.WrongMember, in object: Range<Int>? = nil) -> Place {
        let object = object ?? json.start..<json.bytes.count
        guard let wrong = member.name else { return Place(offset: object.lowerBound, value: json.text(in: object)) }
        guard let member = json.member(Name(wrong), of: object) else {
            return Place(offset: object.lowerBound)
        }
        return Place(offset: member.offset, value: json.text(in: member.value))
    }
}
