import CloudKit
import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import Unlocks

/// A town in which people invite each other, for a month.
///
/// Their phones run the real libraries: `InviteCenter` with `CloudKitGuestbook`, the bridge, and `Unlocks`. Only CloudKit and the
/// phones are simulated.
@MainActor
final class Town {
    static let programs = [
        InviteProgram("invite-2026", event: "first-board"), InviteProgram("spring", event: "second-board"),
    ]
    static let landingPage = LandingPage("https://example.com/get")
    static let day = 86_400.0

    let clock = TownClock()
    let dice: Dice
    let cloud = CloudStage.empty()
    private(set) var people: [Person] = []
    /// Whether the month is over: everything works from now on.
    private(set) var isCalm = false
    private(set) var violations: [String] = []
    /// The names of the records that were made with a modified app, and of those that were changed with one.
    var (forged, changed) = (Set<String>(), Set<String>())
    /// Records that were removed, and changed ones as they were before.
    var former: [CloudStage.Stored] = []
    /// The number of friends who were counted.
    var counted = 0

    init(seed: UInt64, count: Int) {
        dice = Dice(seed: seed)
        for number in 0..<count {
            let habits = Person.Habit.allCases.filter { _ in dice.chance(0.07) }
            people.append(Person(number, Set(habits)))
        }
        for person in people {
            person.friends = (0..<6).map { _ in dice.number(0..<count) }
            person.phones = [Phone(of: person, in: self)]
        }
    }

    func violate(_ reason: String) { violations.append(String(format: "day %.3f, ", clock.now / Self.day) + reason) }

    func run() {
        JobQueue.run { [self] in
            cloud.mayCreate = false
            clock.after(2 * Self.day) { self.cloud.mayCreate = true }
            cloud.pageLength = 10
            for person in people { begin(person) }
            clock.run(until: 30 * Self.day)
            calm()
            check()
            for phone in people.flatMap(\.phones) { phone.quit() }
            for phone in people.flatMap(\.phones) { phone.stage.connection = nil }
        }
    }

    /// A request reaches CloudKit.
    func receive(_ stage: CloudStage) throws {
        cloud.now = Date(timeIntervalSince1970: 1_795_219_200 + clock.now)
        cloud.indexDelay = isCalm ? 0 : dice.number(0...1_800)
        stage.recordFailures = []
        guard !isCalm else { return }
        if dice.chance(0.01) { stage.recordFailures = [CKError(.zoneBusy, retryAfter: dice.number(1...60))] }
        if dice.chance(0.02) {
            let seconds = dice.chance(0.1) ? Self.day : dice.number(1...600)
            throw CKError(.requestRateLimited, retryAfter: seconds)
        }
        if dice.chance(0.01) { throw CKError(.serviceUnavailable) }
    }
}

// MARK: - What people do

extension Town {
    private func begin(_ person: Person) {
        let phone = person.phones[0]
        if dice.chance(0.3) {
            clock.after(dice.number(0...(dice.chance(0.7) ? 1 : 25)) * Self.day) {
                phone.install()
                self.visit(phone)
            }
        }
        clock.after(dice.number(0...3) * Self.day) { self.live(person) }
        if person.habits.contains(.secondPhone) {
            clock.after(dice.number(3...25) * Self.day) {
                guard phone.installation != nil else { return }
                let second = Phone(of: person, in: self)
                person.phones.append(second)
                second.install()
                self.visit(second)
            }
        }
        if person.habits.contains(.deletesEntry) {
            clock.after(dice.number(10...30) * Self.day) { self.removeEntries(of: person) }
        }
        if person.habits.contains(.forges) { clock.after(dice.number(5...28) * Self.day) { self.forge(person) } }
    }

    /// The person uses the app again and again.
    private func live(_ person: Person) {
        guard !isCalm else { return }
        if let phone = dice.pick(person.phones.filter { $0.installation != nil }) { visit(phone) }
        clock.after(dice.number(0.1...7) * Self.day) { self.live(person) }
    }

    /// The person uses the app for some minutes; perhaps an address has opened it.
    private func visit(_ phone: Phone, opening address: URL? = nil) {
        guard !isCalm, phone.installation != nil, !phone.isInUse else { return }
        phone.isInUse = true
        let (person, length) = (phone.person, dice.number(10...1_200))
        phone.isOnline = !dice.chance(person.habits.contains(.badLine) ? 0.4 : 0.03)
        if phone.app == nil, person.habits.contains(.wrongClock), dice.chance(0.3) {
            phone.clockError = Self.day * (dice.pick([0, 0, -0.1, 0.1, -3, 8, -31, -400, 400]) ?? 0)
        }
        if person.habits.contains(.signsInLater), !person.isSignedIn, dice.chance(0.2) { person.signIn() }
        if let address { phone.open(address) } else { phone.activate() }
        for _ in 0..<dice.number(1..<5) { clock.after(dice.number(0...length)) { self.act(phone) } }
        if dice.chance(0.08) { clock.after(dice.number(0...length)) { phone.quit() } }
        clock.after(length) {
            if !self.dice.chance(0.15) { phone.quit() }
            phone.isInUse = false
            if person.habits.contains(.reinstalls), self.dice.chance(0.1) { self.reinstall(phone) }
        }
    }

    private func reinstall(_ phone: Phone) {
        phone.delete()
        clock.after(dice.number(0.01...3) * Self.day) {
            phone.install()
            self.visit(phone)
        }
    }

    private func act(_ phone: Phone) {
        guard phone.app != nil, let installation = phone.installation else { return }
        let person = phone.person
        switch dice.number(0..<10) {
        case 0, 1: phone.endOnboarding()
        case 2, 3: if installation.hasOnboarded { phone.reach("first-board") }
        case 4: if installation.hasOnboarded { phone.reach("second-board") }
        case 5: phone.look()
        case 6, 7: share(phone)
        case 8: type(phone)
        default: if person.habits.contains(.invitesSelf) { inviteSelf(phone) }
        }
    }

    private func share(_ phone: Phone) {
        guard let code = phone.code(), let friend = dice.pick(phone.person.friends) else { return }
        let person = people[friend]
        clock.after(dice.number(0.01...2) * Self.day) { self.hear(code, person) }
    }

    /// Somebody is invited, with an address or by word of mouth.
    private func hear(_ code: String, _ person: Person) {
        guard !isCalm, let phone = dice.pick(person.phones), let address = Self.address(of: code) else { return }
        if phone.installation == nil {
            guard dice.chance(0.8) else { return }
            phone.install()
        }
        if dice.chance(0.6) {
            visit(phone, opening: address)
        } else {
            person.heard.append(dice.chance(0.1) ? address.absoluteString : spoken(code))
            visit(phone)
        }
    }

    private static func address(of code: String) -> URL? {
        (try? InviteCode(code)).flatMap { try? Invitation(landingPage: landingPage, code: $0).address }
    }

    /// A code as people write it.
    private func spoken(_ code: String) -> String {
        switch dice.number(0..<4) {
        case 0: code.lowercased()
        case 1: code.filter { $0 != "-" }
        case 2: code.replacing("0", with: "O").replacing("1", with: "l").replacing("-", with: " ")
        default: " \(code)\n"
        }
    }

    private func type(_ phone: Phone) {
        let person = phone.person
        guard let text = person.heard.first else { return }
        person.heard.removeFirst()
        if phone.app != nil, !phone.enter(text) { violate("\(text) wasn't accepted") }
    }

    private func inviteSelf(_ phone: Phone) {
        guard let code = phone.code() else { return }
        if dice.chance(0.5) {
            _ = phone.enter(code)
        } else if let address = Self.address(of: code) {
            phone.open(address)
        }
    }
}

// MARK: - The end of the month

extension Town {
    /// From now on everything works, and everybody looks at the app on some days.
    private func calm() {
        isCalm = true
        let phones = people.flatMap(\.phones)
        for phone in phones {
            phone.quit()
            (phone.isOnline, phone.clockError) = (true, 0)
        }
        for _ in 0..<3 {
            for phone in phones { phone.launch() }
            clock.run(until: clock.now + 3_600)
            for phone in phones { phone.quit() }
            clock.run(until: clock.now + 1.1 * Self.day)
        }
        for phone in phones {
            phone.launch()
            phone.endOnboarding()
            phone.look()
        }
        clock.run(until: clock.now + 3_600)
    }

    static let catalog: ShopCatalog = {
        let json = """
            {"format":1,"revision":1,"items":[
              {"id":"silvers","product":"silvers","kind":"consumable","amount":1,"grants":["silver"]},
              {"id":"coppers","product":"coppers","kind":"consumable","amount":1,"grants":["copper"]},
              {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]}],
             "rewards":[
              {"id":"thanks","for":"inviter","program":"invite-2026","grants":["silver"],"every":2,"limit":3},
              {"id":"spring","for":"inviter","program":"spring","grants":["copper"],"amount":5,"limit":2},
              {"id":"welcome","grants":["gold"],"after":"first-board"}]}
            """
        do { return try ShopCatalog(json: Data(json.utf8)) } catch { preconditionFailure("\(error)") }
    }()
}

extension Person {
    /// From now on, the person's codes are in iCloud.
    func signIn() {
        isSignedIn = true
        for phone in phones {
            phone.stage.account = .available(account)
            if iCloudCodes == nil { phone.upload() } else { phone.download() }
        }
    }
}
