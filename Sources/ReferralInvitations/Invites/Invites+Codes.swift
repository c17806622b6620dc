/// The user's own codes, on all their devices.
extension Invites {
    /// The number of codes that the devices share. If there are more, these are the smallest ones, on which all devices agree.
    private static let maximumCodes = 32

    /// The user's codes. The first one is shown.
    var codes: [InviteCode] { record?.codes.compactMap { try? InviteCode($0) } ?? [] }

    /// The names under which the user invites others.
    var ownNames: [String] { (record?.codes ?? []) + [ownReferrer.map(InviteCode.canonical)].compactMap { $0 } }

    /// Whether a referrer is the user.
    func isOwn(_ referrer: String) -> Bool { ownNames.contains(InviteCode.canonical(referrer)) }

    mutating func giveCode(_ call: Int, orNew new: InviteCode) {
        if let code = codes.first { return resume(call, .code(code)) }
        change(.codes([new.text]), .giveCode(call: call, new))
    }

    mutating func loadSharedCodes() { codesQuestion = ask(Effect.loadSharedCodes) }

    /// Adds the codes of the user's other devices, and gives them this device's, unless they have them.
    mutating func receiveSharedCodes(_ text: String?, _ number: Int) {
        guard codesQuestion == number, let own = record?.codes else { return }
        codesQuestion = nil
        let shared = Set(
            text?.split(separator: " ").prefix(Self.maximumCodes).compactMap { try? InviteCode(String($0)).text } ?? []
        )
        let all = shared.union(own).sorted()
        note(.codes(all), shared == Set(all.prefix(Self.maximumCodes)) ? .nothing : .shareCodes)
    }

    /// Gives the other devices the codes.
    mutating func shareCodes() {
        guard let codes = record?.codes.prefix(Self.maximumCodes) else { return }
        perform(.shareCodes(codes.joined(separator: " ")))
    }
}
