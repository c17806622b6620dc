/// A reward for a referral.
public struct CatalogReward: Sendable, Equatable {
    /// The reward's name in the catalog.
    public let id: RewardID
    /// The parameter that the referral must have; `nil` accepts any referral.
    public let parameter: String?
    /// The value of that parameter.
    public let value: String?
    /// The names of the unlocks that it opens.
    public let grants: [UnlockID]
    /// The maximum number of times that it is granted.
    public let limit: Int
    /// The amount of each of its unlocks, 1 to 1,000,000. If `nil`, it gives one of a counted unlock, and opens any
    /// other unlock permanently.
    public let amount: Int?
    /// The event that the app must have reached; `nil` grants it at once.
    public let event: EventName?
    /// Whether only a signed referral counts.
    public let needsSignature: Bool
    /// The user whom it rewards.
    public let recipient: Recipient

    /// The user whom a reward is for.
    public enum Recipient: Sendable, Hashable {
        /// The user whom a referral brought.
        case newcomer
        /// The user who invited others, in a program of invitations, once for every so many newcomers.
        case inviter(program: String, every: Int)
    }
}

extension CatalogReward {
    private enum RecipientName: String, CaseIterable { case newcomer, inviter }

    /// Reads a reward, or throws its invalid member. None is ignored.
    init(_ value: CatalogValue, _: inout [WrongMember]) throws(WrongMember) {
        id = try value["id"].id()
        let name: RecipientName = try value["for"].given?.word() ?? .newcomer
        // Nothing is known of the inviter's newcomers but their number.
        for other in ["parameter", "value", "signed", "after"] where name == .inviter && value[other].given != nil {
            throw value[other].wrong("missing in a reward for the inviter")
        }
        switch name {
        case .newcomer: recipient = .newcomer
        case .inviter:
            let every = try value["every"].given?.number(1...Int.max) ?? 1
            recipient = .inviter(program: try value["program"].name(), every: every)
        }
        parameter = try value["parameter"].given?.name()
        self.value = try parameter == nil ? value["value"].given?.text() : value["value"].text()
        event = try value["after"].given?.id()
        needsSignature = try value["signed"].given?.bool() ?? false
        grants = try value["grants"].ids(1...Int.max)
        limit = try value["limit"].given?.number(1...Int.max) ?? 1
        amount = try value["amount"].given?.amount()
    }
}
