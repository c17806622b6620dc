/// What the bridge does with the address that an App Clip has left.
extension Launch {
    /// The time, in seconds, that an address counts after it opened the clip: 30 days.
    static let clipWindow = 2_592_000.0

    /// Judges the address that the clip has left, and goes on with the pasteboard.
    mutating func receiveClip(_ contents: Result<[UInt8]?, AppStoreBridge.Failure>, _ number: Int) {
        guard check?.step == .readingClip(number) else { return }
        guard !ledger.isLocked else { return lookAtPasteboard() }
        switch contents {
        case .success(nil): lookAtPasteboard()
        case .failure(let failure):
            reportClip(.readFailed(failure))
            lookAtPasteboard()
        case .success(let bytes?):
            do throws(ClipProblem) {
                report(try ClipFile(bytes, now: now, window: scanner.window))
            } catch {
                reportClip(.readFailed(AppStoreBridge.Failure(error)))
                proceed(to: Check.Step.removingClip, Effect.removeClip)
            }
        }
    }

    /// Judges the address as if it had opened the app when it opened the clip.
    func judgment(on file: ClipFile) -> Judgment {
        var judgment = scanner.judge(file.address, on: .appClip, now: file.opened, reported: reported)
        if now.milliseconds - file.opened.milliseconds >= Self.clipWindow * 1_000 {
            judgment.replace(with: .expired)
        } else if record.reportedInvocations.contains(ClipInvocation(file)) {
            judgment.replace(with: .alreadyReported)
        }
        return judgment
    }

    private mutating func report(_ file: ClipFile) {
        let result = ScanResult([judgment(on: file)])
        check?.step = .tellingOfClip
        if let arrival = result.arrival {
            _ = beginReport(of: arrival, at: file.opened, .clip(ClipInvocation(file)))
        } else {
            endClip(.noReferral(result))
        }
    }

    /// Remembers the invocation, now that the app was told of it, or it is held.
    mutating func finishClip(_ invocation: ClipInvocation, _ outcome: AppStoreBridge.Outcome) {
        clipHasReferred = true
        if case .unreported = outcome {
            reportClip(outcome)
            return lookAtPasteboard()
        }
        ledger.insertInvocation(invocation)
        ledger.endFirstLaunch()
        save()
        endClip(outcome)
    }

    private mutating func endClip(_ outcome: AppStoreBridge.Outcome) {
        reportClip(outcome)
        check?.step = .savingClip
    }

    /// Removes the file once nothing of it is only in memory: a report that isn't on disk yet is found again.
    mutating func settleClip() {
        guard check?.step == .savingClip, !ledger.isWriting else { return }
        if ledger.isSaved { proceed(to: Check.Step.removingClip, Effect.removeClip) } else { lookAtPasteboard() }
    }

    private mutating func reportClip(_ outcome: AppStoreBridge.Outcome) {
        check?.outcomes.append(outcome)
        reportOutcome(outcome, on: .appClip)
    }
}
