extension InviteCenter {
    /// The user's own code, which is made once.
    ///
    /// If several of the user's devices have made one each, it is the smallest of them, compared as text. The others remain
    /// the user's own, see ``otherCodes``.
    ///
    /// - Throws: ``InvitesError`` if a new code can't be saved.
    public func code() throws(InvitesError) -> InviteCode {
        if let code = try codes().first { return code }
        let code = makeCode()
        try change { $0.codes = [code.text] }
        shareCodes()
        return code
    }

    /// The user's other codes, which also count for them.
    public var otherCodes: [InviteCode] {
        get throws(InvitesError) { Array(try codes().dropFirst()) }
    }

    private func codes() throws(InvitesError) -> [InviteCode] {
        try open().codes.compactMap { try? InviteCode($0) }
    }

    /// Sets the user's own name as a referrer. Nobody signs for themself.
    public func setOwnReferrer(_ name: String?) { ownReferrer = name }

    /// Whether a referrer is the user.
    public func isOwn(_ referrer: String) -> Bool {
        // The app may ask before it calls `start`. If the file can't be opened, the user's codes aren't known.
        _ = try? open()
        return ownNames.contains(InviteCode.canonical(referrer))
    }

    /// The names under which the user invites others.
    var ownNames: [String] { (record?.codes ?? []) + [ownReferrer.map(InviteCode.canonical)].compactMap { $0 } }
}

// MARK: - Other devices

extension InviteCenter {
    /// The number of codes that the devices share. If there are more, these are the smallest ones, on which all devices agree.
    private static let maximumCodes = 32

    /// Adds the codes of the user's other devices, and gives them this device's.
    func addSharedCodes() {
        guard let sharedCodes, let own = record?.codes else { return }
        let shared =
            sharedCodes.load()?.split(separator: " ").prefix(Self.maximumCodes)
            .compactMap { try? InviteCode(String($0)).text } ?? []
        let all = Set(own).union(shared).sorted()
        if all != own { note { $0.codes = all } }
        if Set(shared) != Set(all.prefix(Self.maximumCodes)) { shareCodes() }
    }

    private func shareCodes() {
        if let codes = record?.codes { sharedCodes?.save(codes.prefix(Self.maximumCodes).joined(separator: " ")) }
    }

    /// Adds the codes of other devices each time one of them saves them.
    func followSharedCodes() {
        guard let changes = sharedCodes?.changes() else { return }
        following = Task { [weak self] in
            for await _ in changes { await self?.addSharedCodes() }
        }
    }
}
