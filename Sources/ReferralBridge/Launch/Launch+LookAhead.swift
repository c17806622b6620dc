/// Whether the next check may read the pasteboard: the silent questions of a check, without its consequences.
extension Launch {
    /// Begins a look ahead, or puts it off until the app is active and no check is under way.
    mutating func requestLookAhead(_ call: Int, _ activity: AppActivityState?) {
        lookAheadCalls.append(call)
        deadlines.set(call, after: settings.timeLimit, at: moment.steady)
        if let activity { beginObserving(activity) }
        startCheckIfDue()
    }

    /// Goes on with an answer.
    ///
    /// - Returns: Whether it answers the look ahead.
    mutating func advanceLookAhead(_ event: Event) -> Bool {
        guard let number = lookAhead else { return false }
        switch event {
        case .activity(number, let state):
            if let state, state != .active { foreground.change(to: state) }
            goOn(settings.hasClip ? Effect.clip : Effect.changeCount)
        case .clip(number, let contents):
            // A check judges the same address. If it is a referral, it doesn't look at the pasteboard.
            let file = try? contents.get().map { try ClipFile($0, now: now, window: scanner.window) }
            let arrival = file.flatMap { judgment(on: $0).arrival }
            goOn(arrival == nil ? { .changeCount($0) } : nil)
        case .changeCount(number, let changeCount):
            // Without an activity, each check is an activation.
            let activation = foreground.activations + (isObserving ? 0 : 1)
            let isRead = changeCount.map { wasRead($0, at: activation) } ?? false
            goOn(isRead ? nil : { [settings] in .probe($0, settings.probe) })
        case .probed(number, let hasLink): endLookAhead(hasLink == .success(true))
        default: return false
        }
        return true
    }

    /// Asks the next question. Without one, a check wouldn't read.
    private mutating func goOn(_ question: ((Int) -> Effect)?) {
        guard foreground.state == .active, let question, outcomeWithoutLook == nil else { return endLookAhead(false) }
        lookAhead = ask(question)
    }

    /// Answers those who wait. If the app isn't active, the look ahead begins anew when it is.
    private mutating func endLookAhead(_ mayAsk: Bool) {
        guard foreground.state == .active else { return }
        for call in lookAheadCalls { answerLookAhead(call, mayAsk) }
    }

    /// Answers a call. With the last one, the look ahead ends.
    mutating func answerLookAhead(_ call: Int, _ mayAsk: Bool) {
        deadlines.cancel(call)
        lookAheadCalls.removeAll { $0 == call }
        perform(.resumeMayAsk(call: call, mayAsk))
        guard lookAheadCalls.isEmpty else { return }
        lookAhead = nil
        startCheckIfDue()
    }
}
