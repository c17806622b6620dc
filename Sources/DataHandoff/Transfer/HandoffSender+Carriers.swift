public import ReferralFoundation

// MARK: - Without a request

extension HandoffSender {
    /// Puts the data into the folder that both apps share, without a request.
    ///
    /// - Returns: The package's manifest. Once the package has arrived, ``confirmations()`` returns its receipt.
    /// - Throws: ``HandoffError``. ``HandoffError/noGroup`` if the route has no such folder.
    public func sendToGroup() async throws(HandoffError) -> HandoffManifest {
        let manifest = try writeToGroup(await makeContents())
        do { try remember(SentPackage(manifest, nonce: nil, proof: nil)) } catch {
            try? route.folder?.remove(manifest)
            throw error
        }
        return manifest
    }

    /// Writes the data into a file, such as one for the share sheet. It isn't sealed.
    ///
    /// - Returns: The file, in the app's own storage. The next call removes it.
    public func makeFile() async throws(HandoffError) -> URL { try write(makePackage(await makeContents()), nil) }
}

// MARK: - After a request

extension HandoffSender {
    func send(_ delivery: HandoffDelivery) throws(HandoffError) -> HandoffDelivery.Shipment {
        switch delivery.carrier ?? delivery.carriers[0] {
        case .group:
            // A package without files refers to the one in the folder.
            let manifest = try writeToGroup(delivery.contents)
            do throws(HandoffError) {
                return .open(try address(for: delivery, emptyPackage(manifest.transfer), of: manifest))
            } catch {
                try? route.folder?.remove(manifest)
                throw error
            }
        case .link:
            guard delivery.carriers.contains(.link) else { throw .notSealed }
            let package = try makePackage(delivery.contents)
            do throws(HandoffError) {
                return .open(try address(for: delivery, package, of: package.manifest))
            } catch {
                guard delivery.carrier == nil, case .tooLargeForLink = error else { throw error }
                return try share(package, for: delivery)
            }
        case .file: return try share(makePackage(delivery.contents), for: delivery)
        }
    }

    private func share(
        _ package: HandoffPackage,
        for delivery: HandoffDelivery
    ) throws(HandoffError) -> HandoffDelivery.Shipment {
        guard delivery.sealsFile else { return .share(try write(package, nil)) }
        guard let exchange = try exchange(for: delivery) else { throw .notSealed }
        let file = try write(package, exchange)
        do { try awaitReceipt(for: delivery, package.manifest, exchange) } catch {
            try? FileSystem.remove(file)
            throw error
        }
        return .share(file)
    }

    /// The address with a package for the receiver.
    private func address(
        for delivery: HandoffDelivery,
        _ package: HandoffPackage,
        of manifest: HandoffManifest
    ) throws(HandoffError) -> URL {
        let exchange = try exchange(for: delivery)
        let bytes = try package.bytes(codec: .best, seal: exchange?.seal)
        guard bytes.count <= delivery.maximumLinkSize else { throw delivery.tooLargeForLink }
        let url: URL
        do { url = try route.url(.answer(nonce: delivery.nonce, package: bytes)) } catch {
            throw error == .linkTooLong ? delivery.tooLargeForLink : error
        }
        try awaitReceipt(for: delivery, manifest, exchange)
        return url
    }

    /// The exchange for a sealed answer, if the request asks for one.
    private func exchange(for delivery: HandoffDelivery) throws(HandoffError) -> Exchange? {
        guard let key = delivery.publicKey, let sealer else { return nil }
        return try Exchange(answering: delivery.nonce, of: key, route, sealer)
    }

    private func awaitReceipt(
        for delivery: HandoffDelivery,
        _ manifest: HandoffManifest,
        _ exchange: Exchange?
    ) throws(HandoffError) {
        let proof = try exchange?.proof(of: manifest.digest)
        try remember(SentPackage(manifest, nonce: delivery.nonce, proof: proof))
    }

    private func writeToGroup(_ contents: HandoffContents) throws(HandoffError) -> HandoffManifest {
        guard let folder = route.folder else { throw .noGroup }
        try? folder.removeUnfinished()
        return try folder.write(contents, on: route, created: clock.now())
    }

    /// Writes a package to a file, and removes the previous file. On an error, nothing remains.
    private func write(_ package: HandoffPackage, _ exchange: Exchange?) throws(HandoffError) -> URL {
        let bytes = try package.bytes(codec: .best, seal: exchange?.seal)
        let folder = storage.appending("files")
        return try FileSystem.locking(storage) { () throws(HandoffError) in
            do throws(HandoffError) {
                try FileSystem.remove(folder)
                try FileSystem.makeFolder(folder)
                let file = folder.appending("\(package.manifest.transfer).\(HandoffPackage.fileExtension)")
                try FileSystem.write(bytes, to: file)
                return file
            } catch {
                try? FileSystem.remove(folder)
                throw error
            }
        }
    }

    private func makePackage(_ contents: HandoffContents) throws(HandoffError) -> HandoffPackage {
        var files: [(name: String, contents: Data)] = []
        for file in contents.files {
            try FileSystem.checkDatabase(at: file.url, named: file.name)
            files.append((file.name, try FileSystem.contents(of: file.url)))
        }
        if let list = contents.defaultsList { files.append((HandoffDefaults.fileName, list)) }
        return try HandoffPackage(
            files: files,
            schema: contents.schema,
            from: route.sender,
            to: route.receiver,
            created: clock.now()
        )
    }

    func emptyPackage(_ transfer: String? = nil) throws(HandoffError) -> HandoffPackage {
        try HandoffPackage(
            files: [],
            schema: 0,
            from: route.sender,
            to: route.receiver,
            created: clock.now(),
            transfer: transfer.flatMap(UUID.init(uuidString:)) ?? UUID()
        )
    }
}
