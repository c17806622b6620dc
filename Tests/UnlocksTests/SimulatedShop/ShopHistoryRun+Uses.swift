import Foundation
import ReferralBridge
import Unlocks

// MARK: - What is counted

extension ShopHistoryRun {
    static let counted: [UnlockID] = ["hint", "board", "export", "guest"]
    private static let asked: [UnlockID] = counted + ["gold", "pro", "lounge", "studio"]

    /// What the present catalog gives for free.
    func allowance(of unlock: UnlockID?) -> Uses.Allowance? { unlock.flatMap { facts.allowances[$0] } }

    /// The bounds of what the app takes for the present moment.
    var now: ClosedRange<Date> { moments.now(at: shop.now.date, in: environment) }

    func spend(_ count: Int, of unlock: UnlockID, _ unlocks: UnlockCenter) {
        correct(at: shop.now.date)
        let before = unlocks.balance(of: unlock)
        let isAlone = spending.isEmpty && diskSeconds == nil
        spendingCount += 1
        let number = spendingCount
        spending[number] = Spending(
            count: count,
            unlock: unlock,
            environment: environment,
            now: now,
            allowances: [allowance(of: unlock)]
        )
        Task { [weak self] in
            let result: Result<Bool, any Error>
            do { result = .success(try await unlocks.spend(count, of: unlock)) } catch { result = .failure(error) }
            guard let self else { return }
            let isStillAlone = isAlone && spending.count == 1
            let spending = spending.removeValue(forKey: number)
            let isSpent = try? result.get()
            if let spending, isSpent == true, before != .unlimited || !isStillAlone {
                self.count(spending, isSure: before != .unknown)
            }
            if let spending, isSpent == nil, shop.storage.hasEnded { self.count(spending, isSure: false) }
            // What isn't known yet may be anything.
            guard isStillAlone, !shop.storage.hasEnded, before != .unknown else { return }
            if let isSpent, isSpent != before.count.map({ $0 >= count }) ?? true {
                violate("of \(before) of \(unlock) \(count) were spent: \(isSpent)")
            }
            // With nothing left, it may be unknown whether it is open for another reason.
            let after = unlocks.balance(of: unlock)
            if (after == .unknown ? 0 : after.count) != before.count.map({ isSpent == true ? $0 - count : $0 }) {
                violate("of \(before) of \(unlock) \(after) were left after \(count): \(String(describing: isSpent))")
            }
        }
    }

    /// Notes what was spent, or may have been written down all the same when the process ended.
    private func count(_ spending: Spending, isSure: Bool = true) {
        correct(at: shop.now.date)
        let end = now
        let now = min(spending.now.lowerBound, end.lowerBound)...max(spending.now.upperBound, end.upperBound)
        let before = uses[spending.environment]?[spending.unlock] ?? Uses()
        var after: Uses?
        for allowance in spending.allowances {
            var uses = before
            if isSure {
                uses.spend(spending.count, of: allowance, at: now)
            } else {
                uses.maySpend(spending.count, of: allowance, at: now)
            }
            if after == nil { after = uses } else { after?.join(uses) }
        }
        uses[spending.environment, default: [:]][spending.unlock] = after
    }

    /// The bounds of what was bought or earned.
    private func granted(_ unlock: UnlockID) -> ClosedRange<Int> {
        switch unlock {
        case "hint":
            let packs = truths.values.filter {
                $0.current.productID == "hints" && $0.current.environment == environment
            }
            let sure = packs.filter { !$0.wasRevoked && shop.store.finished.contains($0.current.id) }
            let possible = packs.filter { $0.statements.contains { !$0.isRevoked } }
            return sure.count * 10...possible.count * 10 + 3
        case "guest": return 0...2 * min(3, isPerhapsInvited.count / leastEvery)
        default: return 0...0
        }
    }

    /// What may be left of something counted.
    private func left(_ unlock: UnlockID, of granted: ClosedRange<Int>) -> ClosedRange<Int> {
        let uses = uses[environment]?[unlock] ?? Uses()
        let free = uses.left(of: allowance(of: unlock), at: now)
        let least = max(0, granted.lowerBound - uses.spent.upperBound)
        return free.lowerBound + least...free.upperBound + max(0, granted.upperBound - uses.spent.lowerBound)
    }

    /// Nothing that is counted is lost, given twice, or given back by a clock.
    func checkUses() {
        guard let unlocks = shop.unlocks, !isJournalLost, isOpen else { return }
        for unlock in Self.counted where unlock != "hint" || !hadOtherKinds {
            checkBalance(of: unlock, left(unlock, of: granted(unlock)), unlocks)
        }
    }

    /// In the end everything is known.
    func endUses(_ valid: [StoreTransaction], _ unlocks: UnlockCenter) {
        let (claimed, mayBeClaimed) = (claims.isEmpty ? 0 : 3, claims.isEmpty && !isPerhapsClaimed ? 0 : 3)
        let packs = valid.filter { $0.productID == "hints" }.count * 10
        checkBalance(of: "hint", left("hint", of: packs + claimed...packs + mayBeClaimed), unlocks)
        let guests = 2 * min(3, invited.count / (facts.every ?? 1))
        checkBalance(of: "guest", guests...2 * min(3, isPerhapsInvited.count / leastEvery), unlocks)
    }

    private func checkBalance(of unlock: UnlockID, _ possible: ClosedRange<Int>, _ unlocks: UnlockCenter) {
        let balance = unlocks.balance(of: unlock)
        // What isn't known isn't open, so nothing that is known is left.
        let isRight = balance == .unknown ? possible.lowerBound == 0 : balance.count.map(possible.contains) ?? false
        if !isRight { violate("\(balance) of \(unlock) are left, not \(possible)") }
    }

    // MARK: Invitations

    func invite(_ people: Range<Int>, _ unlocks: UnlockCenter) {
        isPerhapsInvited.formUnion(people)
        var entries = people.map { InvitationEntry(id: "guest-\($0)", program: "party") }
        entries.append(InvitationEntry(id: "stranger", program: "another"))
        Task { [weak self] in
            guard (try? await unlocks.count(entries)) != nil else { return }
            self?.invited.formUnion(people)
        }
    }
}

// MARK: - What is told

extension ShopHistoryRun {
    /// Whether the app knows what is in the journal.
    var isOpen: Bool {
        switch shop.state("gold") {
        case nil, .unknown(.notOpened): false
        default: true
        }
    }

    /// Listens to the states of the present process.
    func observe() {
        guard history.isObserved, let changes = shop.unlocks?.states else { return }
        let number = observations
        Task { [weak self] in
            for await change in changes {
                guard let self, observations == number else { return }
                observed[change.unlock] = change
            }
        }
    }

    /// What the app answers fits together, and is what it has told.
    func checkAnswers() {
        guard let unlocks = shop.unlocks else { return }
        for unlock in Self.asked {
            let (state, balance) = (unlocks.state(of: unlock), unlocks.balance(of: unlock))
            let isRight =
                switch balance {
                case .left(let count): state.isUnlocked == (count > 0) && state.isLocked == (count == 0)
                case .unlimited: state.isUnlocked
                case .unknown: !state.isUnlocked && !state.isLocked
                }
            if !isRight { violate("\(balance) of \(unlock), which is \(state)") }
            // If nothing is for sale, no answer is needed.
            if state.isLocked, !answered.contains(environment), facts.sellsAnything {
                violate("\(unlock) is locked, and no store was heard")
            }
            let warnAt = allowance(of: unlock)?.warnAt
            let isRunningOut = if let count = balance.count, let warnAt { count <= warnAt } else { false }
            if unlocks.isRunningOut(unlock) != isRunningOut { violate("\(balance) of \(unlock) are running out") }
        }
        guard !isClockNew else { return }
        for unlock in observed.keys where !isTold(unlock, unlocks) {
            // What ends at this very moment is told a little later.
            shop.wait(0.01)
            guard !isTold(unlock, unlocks), let told = observed[unlock] else { continue }
            violate("\(told) was told, and \(unlocks.state(of: unlock)) is true")
        }
    }

    private func isTold(_ unlock: UnlockID, _ unlocks: UnlockCenter) -> Bool {
        let told = observed[unlock]
        return told?.state == unlocks.state(of: unlock) && told?.balance == unlocks.balance(of: unlock)
    }
}
