public import ReferralFoundation

// MARK: - The shared folder

extension HandoffReceiver {
    /// The contents of the folder that both apps share: each package that this app accepts, and an error for everything
    /// else.
    ///
    /// - Returns: The names and the manifests, the newest package first.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)`` if the folder can't be read. If it doesn't exist, there are
    ///   no packages.
    public func packages() throws(HandoffError) -> [HandoffFolder.Listing] {
        try route.folder?.packages(for: requirements) ?? []
    }

    /// Opens a package in the folder that both apps share.
    ///
    /// - Parameter manifest: A manifest from ``packages()``.
    /// - Returns: The offer.
    /// - Throws: ``HandoffError``.
    public func open(_ manifest: HandoffManifest) throws(HandoffError) -> HandoffOffer {
        try open(manifest, answering: nil)
    }

    func open(_ manifest: HandoffManifest, answering answer: Answer?) throws(HandoffError) -> HandoffOffer {
        guard let folder = route.folder else { throw .noGroup }
        return try offer(manifest, answer) { file, place throws(HandoffError) in
            try FileSystem.copy(folder.file(file.name, of: manifest), to: place, atMost: file.length)
        }
    }

    func offer(_ package: HandoffPackage, _ answer: Answer?) throws(HandoffError) -> HandoffOffer {
        var contents = package.contents.makeIterator()
        return try offer(package.manifest, answer) { file, place throws(HandoffError) in
            try FileSystem.write(contents.next() ?? Data(), to: place)
            return (file.length, file.sha256)
        }
    }

    /// Stages a package that meets the requirements: writes its files into the app's own storage, flushes and checks them.
    private func offer(
        _ manifest: HandoffManifest,
        _ answer: Answer?,
        _ write: (HandoffManifest.File, URL) throws(HandoffError) -> (length: Int, sha256: String)
    ) throws(HandoffError) -> HandoffOffer {
        try requirements.check(manifest)
        // The same package may be offered twice, and each offer has its own files.
        let staged = storage.appending("staged/" + StagedName.make())
        let remembered = try record.value()
        var keys: [String] = []
        do throws(HandoffError) {
            try FileSystem.makeOwnFolder(staged.deletingLastPathComponent())
            try FileSystem.makeFolder(staged)
            for file in manifest.files {
                let place = staged.appending(file.name)
                try FileSystem.makeFolder(place.deletingLastPathComponent())
                let (length, sha256) = try write(file, place)
                guard length >= file.length else { throw .truncated }
                guard length == file.length else { throw .trailingBytes }
                guard sha256 == file.sha256 else { throw .corrupt }
            }
            if manifest.files.contains(where: \.isDefaults) {
                let list = try FileSystem.contents(of: staged.appending(HandoffDefaults.fileName))
                keys = try HandoffDefaults.keys(of: list, acceptedBy: defaults)
            }
            // A receipt for nothing would let the sender delete its data.
            guard !keys.isEmpty || manifest.files.contains(where: { !$0.isDefaults }) else { throw .noFiles }
            try FileSystem.flushAll(staged)
        } catch {
            try? FileSystem.remove(staged)
            throw error
        }
        undecided.insert(staged)
        return HandoffOffer(
            manifest: manifest,
            wasAcceptedBefore: remembered.hasAccepted(manifest),
            isOlderThanAccepted: remembered.isOlder(manifest, at: clock.now()),
            defaultsKeys: keys,
            staged: staged,
            note: HandoffReceipt.Note(
                digest: manifest.digest,
                transfer: manifest.transfer,
                nonce: answer?.nonce,
                // Without a proof, the sender keeps its data, but the data can still be accepted here.
                proof: answer?.exchange.flatMap { try? $0.proof(of: manifest.digest) }
            ),
            receiver: self
        )
    }
}

// MARK: - Decisions

extension HandoffReceiver {
    private var installations: InstallationFolder {
        InstallationFolder(storage: storage, packages: route.folder, defaults: defaults)
    }

    func install(
        _ offer: HandoffOffer,
        into destination: URL,
        replacing: Bool
    ) throws(HandoffError) -> HandoffReceipt {
        try begin(offer)
        let files = offer.manifest.files.filter { !$0.isDefaults }
        return try install(files, of: offer, into: destination, replacing: replacing)
    }

    func merge(
        _ offer: HandoffOffer,
        _ copy: @Sendable (_ folder: URL) async throws -> Void
    ) async throws(HandoffError) -> HandoffReceipt {
        try begin(offer)
        do { try await copy(offer.staged) } catch {
            undecided.insert(offer.staged)
            throw .appFailed(String(describing: error))
        }
        guard !offer.defaultsKeys.isEmpty else { return try accept(offer, nil) }
        // An installation without files sets all user defaults or none, even after a crash.
        return try install([], of: offer, into: storage, replacing: false)
    }

    /// Puts files in place, and sets the user defaults. After an error, the offer can be decided again.
    private func install(
        _ files: [HandoffManifest.File],
        of offer: HandoffOffer,
        into destination: URL,
        replacing: Bool
    ) throws(HandoffError) -> HandoffReceipt {
        let installation: Installation
        do throws(HandoffError) {
            installation = try installations.install(files, of: offer, into: destination, replacing: replacing)
        } catch {
            undecided.insert(offer.staged)
            throw error
        }
        return try accept(offer, installation)
    }

    func decline(_ offer: HandoffOffer) throws(HandoffError) {
        guard undecided.remove(offer.staged) != nil else { throw .alreadyDecided }
        try FileSystem.remove(offer.staged)
    }

    /// Starts the decision on an offer. A second decision is an error. The app's own code may have changed the files before.
    private func begin(_ offer: HandoffOffer) throws(HandoffError) {
        guard undecided.contains(offer.staged) else { throw .alreadyDecided }
        for file in offer.manifest.files {
            let place = offer.staged.appending(file.name)
            guard case .file(file.length) = try FileSystem.kind(of: place),
                try FileSystem.copy(place, to: nil, atMost: file.length) == (file.length, file.sha256)
            else { throw .corrupt }
        }
        undecided.remove(offer.staged)
    }

    /// Records an accepted package, and makes its receipt.
    ///
    /// The data is already in place, so a failure to write or remove a record isn't an error: at worst, the user is
    /// asked again, and the next launch removes the staged files.
    private func accept(
        _ offer: HandoffOffer,
        _ installation: Installation?
    ) throws(HandoffError) -> HandoffReceipt {
        try? record.change { record in record.add(offer.manifest, at: clock.now()) }
        try? FileSystem.remove(offer.staged)
        // A file may be another device's, which hasn't the data of this one. An answer to a request is this device's.
        if offer.note.nonce != nil { try? route.folder?.discardSuperseded(by: offer.manifest) }
        try? route.folder?.confirm(offer.note.digest, of: offer.note.transfer)
        return try receipt(offer.note, installation)
    }

    private func receipt(
        _ note: HandoffReceipt.Note,
        _ installation: Installation?
    ) throws(HandoffError) -> HandoffReceipt {
        let url = try note.nonce.map { nonce throws(HandoffError) in
            try route.url(.receipt(nonce: nonce, digest: note.digest, proof: note.proof))
        }
        return HandoffReceipt(url: url, installation: installation)
    }
}

// MARK: - After a crash

extension HandoffReceiver {
    /// Undoes installations that a crash has interrupted. Call it at launch, before anything opens the files or reads the
    /// user defaults.
    ///
    /// - Parameter destination: The folder into which packages are installed.
    /// - Returns: The unfinished receipts of complete installations. Open their addresses, and finish them.
    /// - Throws: ``HandoffError`` if an installation can't be undone now.
    public func recover(in destination: URL) throws(HandoffError) -> HandoffRecovery {
        try? removeAbandoned()
        try? confirmAccepted()
        var receipts: [HandoffReceipt] = []
        for installation in try installations.recover(in: destination) {
            if let note = FileSystem.decode(HandoffReceipt.Note.self, from: installation.note), note.isWhole {
                try? route.folder?.confirm(note.digest, of: note.transfer)
                receipts.append(try receipt(note, installation))
            } else {
                // The sender can't be notified, but the files are there.
                receipts.append(HandoffReceipt(url: nil, installation: installation))
            }
        }
        return HandoffRecovery(receipts: receipts, damaged: try installations.damaged())
    }

    /// Confirms packages from the shared folder that couldn't be confirmed when they were accepted.
    private func confirmAccepted() throws(HandoffError) {
        guard let folder = route.folder else { return }
        let remembered = try record.value()
        for package in try folder.packages(for: requirements) {
            guard let manifest = try? package.manifest.get(), remembered.hasAccepted(manifest) else { continue }
            try? folder.confirm(manifest.digest, of: package.name)
        }
        try folder.removeUnfinished()
    }

    /// Removes files that ended processes have staged. Another process, such as an extension, may be using this folder.
    private func removeAbandoned() throws(HandoffError) {
        let staged = storage.appending("staged")
        try FileSystem.locking(storage) { () throws(HandoffError) in
            try FileSystem.removeUnlessFolder(staged)
            for name in try FileSystem.names(in: staged) where StagedName.isAbandoned(name) {
                try FileSystem.remove(staged.appending(name))
            }
        }
    }
}
