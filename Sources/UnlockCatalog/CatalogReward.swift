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
        let others = name == .inviter ? ["parameter", "value", "signed", "after"] : []
        if let other = others.compactMap({ value[$0].given }).first {
            throw other.wrong("missing in a reward for the inviter")
        }
        recipient =
            switch name {
            case .newcomer: .newcomer
            case .inviter:
                .inviter(
                    program: try value["program"].name(),
                    every: try value["every"].given?.number(atLeast: 1) ?? 1
                )
            }
        parameter = try value["parameter"].given?.name()
        self.value = try parameter == nil ? value["value"].given?.text() : value["value"].text()
        event = try value["after"].given?.id()
        needsSignature = try value["signed"].given?.bool() ?? false
        grants = try value["grants"].names(1...Int.max, "a list of names").map { UnlockID($0) }
        limit = try value["limit"].given?.number(atLeast: 1) ?? 1
        amount = try value["amount"].given?.number(CatalogItem.amounts)
    }
}
