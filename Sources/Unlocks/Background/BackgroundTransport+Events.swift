import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension BackgroundTransport {
    /// Handles an event of the session, on the queue.
    func receive(_ event: BackgroundEvent) {
        switch event {
        // The system doesn't launch an app for these events, and they may come after those for which it does.
        case .underway(let tasks): return find(tasks)
        case .progress(let task, let received): return count(received, of: task)
        case .file(let task, let url): place(url, of: task)
        case .end(let task, let error, let resumeData): end(task, error, resumeData)
        case .allDelivered: return tellListeners()
        case .invalid(let reason):
            disconnect(.unreachable(reason: reason))
            return tellListeners()
        }
        isQuiet = false
    }

    /// The transfer of a task. One that nobody knows was started by an earlier process.
    private func transfer(of task: BackgroundTask) -> BackgroundTransfer? {
        guard let name = DownloadName(task.description) else {
            session.cancel(task.number)
            return nil
        }
        let known = transfers[name]
        if let known, known.number == task.number { return known }
        let new = BackgroundTransfer(task.number, name)
        if known == nil { transfers[name] = new }
        return new
    }

    /// Finds the tasks of earlier processes. Those that nobody needs are cancelled.
    private func find(_ tasks: [BackgroundTask]) {
        for task in tasks where !endedEarly.contains(task.number) {
            guard let transfer = transfer(of: task) else { continue }
            if transfers[transfer.name] !== transfer || folder(of: transfer) == nil { fail(transfer, .cancelled) }
        }
        didFindTasks()
    }

    private func count(_ received: Int, of task: BackgroundTask) {
        guard let transfer = transfer(of: task), transfer.failure == nil else { return }
        do throws(DownloadError) {
            try task.checkResponse()
            guard received <= transfer.name.length else { throw .wrongLength }
            transfer.received = received
            transfer.wait?.count(received)
        } catch {
            fail(transfer, error)
        }
    }

    private func place(_ url: URL, of task: BackgroundTask) {
        guard let transfer = transfer(of: task) else { return }
        do throws(DownloadError) {
            try task.checkResponse()
            guard let folder = folder(of: transfer) else { throw .cancelled }
            guard folder.length(of: url) == transfer.name.length else { throw .wrongLength }
            // Another task of this file may have loaded this file already, and its part may be in the check.
            let name = transfer.name
            if folder.length(of: folder.part(name.content)) != name.length { try folder.keep(url, as: name.content) }
            transfer.isPlaced = true
            if let newer = transfers[transfer.name], newer !== transfer {
                // The list of tasks came before the news of this one.
                newer.wait?.finish(.success(()))
                fail(newer, .cancelled)
            }
        } catch {
            refuse(transfer, error)
        }
    }

    private func end(_ task: BackgroundTask, _ error: (any Error)?, _ resumeData: Data?) {
        if !areTasksKnown { endedEarly.insert(task.number) }
        guard let transfer = transfer(of: task) else { return }
        if transfers[transfer.name] === transfer { transfers[transfer.name] = nil }
        let wasCancelled = transfer.failure == .cancelled
        if let resumeData, let url = task.request, transfer.failure == nil || wasCancelled, !transfer.isPlaced,
            let folder = folder(of: transfer)
        {
            ResumeFile(url: url, received: transfer.received, data: resumeData).write(transfer.name, in: folder)
            if let newer = transfers[transfer.name], newer.received == 0, !newer.isResumed {
                // The list of tasks came before the news of this one. At its end, the newer one starts again.
                newer.failure = .cancelled
                session.cancel(newer.number)
            }
        }
        guard let wait = transfer.wait else { return }
        if transfer.isPlaced { return wait.finish(.success(())) }
        // It was cancelled before somebody waited for it again.
        if transfer.failure != nil { return join(wait) }
        // After the user has ended the app, the system cancels its tasks, and reports that at the next launch.
        let isRefused = transfer.isResumed && resumeData == nil
        if let error, isRefused || DownloadError.isCancellation(error), !wait.isSecondAttempt {
            wait.isSecondAttempt = true
            return start(wait)
        }
        wait.finish(.failure(error.map(DownloadError.init) ?? .unreachable(reason: "no file")))
    }
}

extension BackgroundTask {
    /// Throws an error if the server's answer isn't a file.
    ///
    /// A background session follows every redirect, and [asks nobody](https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)).
    fileprivate func checkResponse() throws(DownloadError) {
        guard let response else { return }
        guard URLCatalogSource.mayRedirect(from: request, to: response.url) else { throw .unsafeRedirect }
        try response.checkWhole()
    }
}
