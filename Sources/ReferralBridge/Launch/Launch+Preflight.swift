/// Whether the next check may read the pasteboard: what a check learns silently before it reads, without its consequences.
extension Launch {
    /// A look ahead under way. No check begins during it, so that a pasteboard gets one call at a time.
    struct Preflight: Sendable, Equatable {
        /// The question that is open.
        var number: Int
        /// How often the app had gone to the background when it began.
        let departures: Int
    }

    /// Begins a look ahead, or puts it off until the app is active and no check is under way.
    mutating func requestPreflight(_ call: Int, _ activity: AppActivityState?) {
        preflightCalls.append(call)
        if let activity { beginObserving(activity) }
        startCheckIfDue()
    }

    mutating func beginPreflight() {
        preflight = Preflight(number: ask(Effect.activity), departures: foreground.departures)
        wait(for: .preflight, Self.probeTimeLimit)
    }

    /// Goes on with an answer.
    ///
    /// - Returns: Whether it answers the look ahead.
    mutating func advancePreflight(_ event: Event) -> Bool {
        guard let number = preflight?.number else { return false }
        switch event {
        case .activity(number, let state):
            if let state, state != .active { foreground.change(to: state) }
            if outcomeWithoutLook != nil {
                endPreflight(false)
            } else {
                goOn(settings.hasClip ? Effect.clip : Effect.changeCount)
            }
        case .clip(number, let contents):
            // A check judges the same address, and then doesn't look at the pasteboard.
            if let file = try? ClipFile(contents, now: now, window: scanner.window), judgment(on: file).arrival != nil {
                endPreflight(false)
            } else {
                goOn(Effect.changeCount)
            }
        case .changeCount(number, let changeCount):
            // Without an activity, each check is an activation.
            let activation = foreground.activations + (isObserving ? 0 : 1)
            if let changeCount, wasRead(changeCount, at: activation) {
                endPreflight(false)
            } else if let sight = probes.lateSight(changeCount, departures: foreground.departures) {
                endPreflight(sight == .link)
            } else {
                goOn { [settings] in .probe($0, settings.probe) }
            }
        case .probed(number, let sight): endPreflight(sight == .success(.link))
        default: return false
        }
        return true
    }

    private mutating func goOn(_ question: (Int) -> Effect) {
        guard hasStayedSincePreflight else { return endPreflight(false) }
        let number = ask(question)
        preflight?.number = number
    }

    /// Answers those who wait. If the app has left, the look ahead begins anew when it is active.
    mutating func endPreflight(_ mayAsk: Bool) {
        if hasStayedSincePreflight {
            for call in preflightCalls { perform(.resumeMayAsk(call: call, mayAsk)) }
            preflightCalls = []
        }
        preflight = nil
        deadlines.cancel(.preflight)
        startCheckIfDue()
    }

    private var hasStayedSincePreflight: Bool {
        foreground.state == .active && foreground.departures == preflight?.departures
    }
}
