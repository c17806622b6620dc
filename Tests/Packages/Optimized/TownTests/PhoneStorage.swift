import ReferralInvitations

/// The file of invitations on a phone's disk.
final class InvitesFile: @unchecked Sendable {
    fileprivate(set) var bytes: [UInt8]?
    fileprivate(set) var writeCount = 0
    var isFull = false
    /// The number of writes until one ends the process, and whether that one reaches the disk.
    var end: (writes: Int, isWritten: Bool)?
}

/// What a process sees of the file.
final class ProcessStorage: InviteStorage, @unchecked Sendable {
    private let (file, process, dues): (InvitesFile, AppProcess, Dues)

    init(_ file: InvitesFile, _ process: AppProcess, _ dues: Dues) {
        self.file = file
        self.process = process
        self.dues = dues
    }

    func open() throws(InvitesError) -> [UInt8]? {
        guard process.isAlive else { throw .storage("The process has ended.") }
        return file.bytes
    }

    func save(_ bytes: [UInt8]) throws(InvitesError) {
        guard process.isAlive, !file.isFull else {
            dues.noteSave(false)
            throw .storage("The disk is full, or the process has ended.")
        }
        if let end = file.end, end.writes == 0 {
            file.end = nil
            process.end()
            guard end.isWritten else { throw .storage("The process has ended.") }
        }
        file.end?.writes -= 1
        (file.bytes, file.writeCount) = (bytes, file.writeCount + 1)
        dues.noteSave(true)
        process.afterwards { [dues] in dues.settle() }
        guard process.isAlive else { throw .storage("The process has ended.") }
    }

    func keepAside(_ bytes: [UInt8]) throws(InvitesError) { preconditionFailure("nothing damages the file") }
}

/// What a phone has of its owner's key-value store in iCloud.
final class PhoneCodes: @unchecked Sendable {
    private(set) var text: String?
    /// Called when the app has saved a text.
    var didSave: () -> Void = {}

    fileprivate func save(_ text: String) {
        self.text = text
        didSave()
    }

    /// A text comes from iCloud.
    func receive(_ text: String) { self.text = text }
}

/// What a process sees of it, as `UbiquitousCodes` does.
struct ProcessCodes: SharedCodes {
    let codes: PhoneCodes
    let process: AppProcess
    let dues: Dues

    func load() -> String? {
        let text = codes.text
        if process.isAlive { dues.know(text?.split(separator: " ").map(String.init) ?? []) }
        return text
    }

    func save(_ text: String) { if process.isAlive { codes.save(text) } }
}
