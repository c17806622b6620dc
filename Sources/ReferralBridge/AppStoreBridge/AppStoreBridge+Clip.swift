/// The bridge's handling of the address that an App Clip has left.
extension AppStoreBridge {
    /// The time, in seconds, that an address counts after it opened the clip: 30 days.
    static let clipWindow = 2_592_000.0

    /// Judges the address, and reports the referral in it.
    ///
    /// - Returns: What was found; empty if the clip has left nothing, or while the ledger can't be read.
    func checkClip() async -> [Outcome] {
        guard let clipStorage else { return [] }
        let contents: Result<ClipContents, any Error>
        // Not on the main actor.
        do { contents = .success(try await clipStorage.read()) } catch { contents = .failure(error) }
        if case .success(.nothing) = contents { return [] }
        // Reading may take a while, and somebody may set the clock right meanwhile.
        let moment = clock.now()
        guard let record = ledger.loadIfUnlocked() else { return [] }
        let file: ClipFile
        do throws(ClipProblem) {
            switch contents {
            case .success(.nothing): return []
            case .success(.tooLarge): throw ClipProblem.tooLarge
            case .success(.file(let bytes)): file = try ClipFile(bytes, now: moment, window: scanner.window)
            case .failure(let error): throw ClipProblem.unreadable(Failure(error))
            }
        } catch {
            if case .unreadable = error {} else { await clipStorage.remove() }
            tell(.clipIgnored(error), .appClip)
            return [.clipIgnored(error)]
        }

        let outcome = report(ScanResult(judgment(on: file, at: moment, record)), at: file.opened) {
            ledger.insertInvocation(ClipInvocation(file))
            ledger.endFirstLaunch()
        }
        if outcome.arrival != nil { clipHasReferred = true }
        tell(outcome, .appClip)
        // A report that isn't on disk yet is found again.
        if case .unreported = outcome {} else if ledger.isSaved { await clipStorage.remove() }
        return [outcome]
    }

    /// Judges the address as if it had opened the app when it opened the clip.
    private func judgment(on file: ClipFile, at now: Timestamp, _ record: LedgerRecord) -> Judgment {
        var judgment = scanner.judge(file.address, on: .appClip, now: file.opened, reported: record.reported)
        if now.milliseconds - file.opened.milliseconds >= Self.clipWindow * 1_000 {
            judgment.replace(with: .expired)
        } else if record.reportedInvocations.contains(ClipInvocation(file)) {
            judgment.replace(with: .alreadyReported)
        }
        return judgment
    }
}
