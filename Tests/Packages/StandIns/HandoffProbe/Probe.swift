import DataHandoff
import Foundation
import Glibc
import ReferralBridge

/// Sends and receives packages as two apps would, one step a process.
///
///     handoff-probe pack FOLDER PACKAGE           writes a package with all files of a folder
///     handoff-probe send FOLDER GROUP STORAGE     puts one into a shared folder
///     handoff-probe sent GROUP STORAGE            prints what has arrived, and removes it
///     handoff-probe install PACKAGE DESTINATION STORAGE
///     handoff-probe add PACKAGE DESTINATION STORAGE         the same, but replaces nothing
///     handoff-probe install-group GROUP DESTINATION STORAGE
///     handoff-probe merge PACKAGE DESTINATION STORAGE
///     handoff-probe merge-and-stop PACKAGE DESTINATION STORAGE      the same, and stops meanwhile, until it gets a signal
///     handoff-probe request STORAGE ADDRESS                 writes the address that asks into a file
///     handoff-probe answer FOLDER STORAGE ADDRESS           reads that address, and writes the sealed answer
///     handoff-probe install-link ADDRESS DESTINATION STORAGE
///     handoff-probe recover DESTINATION STORAGE [GROUP]     by a receiver that may have a shared folder
///     handoff-probe remove-unfinished GROUP
///     handoff-probe file FOLDER STORAGE                     writes a package into a file in the storage
///     handoff-probe link FOLDER DESTINATION STORAGE         a sealed link from request to receipt, in one process, and its length
///
/// `pack` adds the user defaults in the folder `SENT_DEFAULTS`, and a receiver has its own in `DEFAULTS`.
///
/// An error is printed, with status 1, or 2 if only what was there before couldn't be removed.
@main
struct Probe {
    static let (lite, paid) = ("com.example.trestle.lite", "com.example.trestle")

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            try await run(arguments.first ?? "", arguments.dropFirst().map { URL(fileURLWithPath: $0) })
        } catch {
            print(error)
            exit(1)
        }
    }

    static func run(_ command: String, _ paths: [URL]) async throws {
        switch command {
        case "pack":
            var files = try files(in: paths[0]).map { ($0.name, try Data(contentsOf: $0.url)) }
            if let defaults = folder("SENT_DEFAULTS").map(FolderDefaults.init(folder:)) {
                let list = try HandoffDefaults(FolderDefaults.keys, in: defaults).list()
                files.append((HandoffDefaults.fileName, list ?? Data()))
            }
            let package = try HandoffPackage(files: files, schema: 1, from: lite, to: paid)
            try package.bytes().write(to: paths[1])
        case "send":
            let sender = try sender(of: files(in: paths[0]), storage: paths[2], group: paths[1])
            _ = try await sender.sendToGroup()
        case "sent":
            let sender = try sender(of: [], storage: paths[1], group: paths[0])
            for confirmation in try await sender.confirmations() { print(confirmation.transfer) }
        case "install", "add":
            let offer = try await receiver(paths[2]).receive(fileAt: paths[0])
            try finish(await offer.install(into: paths[1], replacing: command == "install"))
        case "install-group":
            let receiver = try receiver(paths[2], group: paths[0])
            for package in try await receiver.packages() {
                let (name, manifest) = (package.name, package.manifest)
                guard let manifest = try? manifest.get() else {
                    print(name)
                    continue
                }
                try finish(await receiver.open(manifest).install(into: paths[1]))
                break
            }
        case "merge", "merge-and-stop":
            let (destination, offer) = (paths[1], try await receiver(paths[2]).receive(fileAt: paths[0]))
            let receipt = try await offer.merge { folder in
                if command == "merge-and-stop" { raise(SIGSTOP) }
                for file in offer.manifest.files {
                    let target = destination.appending(path: "merged-" + file.name.replacing("/", with: "-"))
                    try Data(contentsOf: folder.appending(path: file.name)).write(to: target, options: .atomic)
                }
            }
            try receipt.finish()
        case "request":
            try await Data(receiver(paths[0]).request().absoluteString.utf8).write(to: paths[1])
        case "answer":
            let sender = try sender(of: files(in: paths[0]), storage: paths[1])
            guard case .request(let delivery) = try await sender.receive(address(paths[2]), from: paid),
                case .open(let url) = try await delivery.send()
            else { return print("no answer") }
            try Data(url.absoluteString.utf8).write(to: paths[2])
        case "install-link":
            guard case .offer(let offer) = try await receiver(paths[2]).receive(address(paths[0]), from: lite) else {
                return print("no offer")
            }
            try finish(await offer.install(into: paths[1]))
        case "link":
            try await link(from: files(in: paths[0]), to: paths[1], storage: paths[2])
        case "recover":
            let receiver = try receiver(paths[1], group: paths.count > 2 ? paths[2] : nil)
            for receipt in try await receiver.recover(in: paths[0]).receipts { try receipt.finish() }
        case "remove-unfinished": try HandoffFolder(in: paths[0]).removeUnfinished()
        case "file":
            _ = try await sender(of: files(in: paths[0]), storage: paths[1]).makeFile()
        default:
            print("there is no command \(command)")
            exit(64)
        }
    }

    static func link(from files: [HandoffContents.File], to destination: URL, storage: URL) async throws {
        let (receiver, sender) = (try receiver(storage), try sender(of: files, storage: storage))
        guard case .request(let delivery) = try await sender.receive(receiver.request(), from: paid),
            case .open(let url) = try await delivery.send(),
            case .offer(let offer) = try await receiver.receive(url, from: lite)
        else { return print("no offer") }
        let receipt = try await offer.install(into: destination)
        guard let address = receipt.url, case .receipt = try await sender.receive(address, from: paid) else {
            return print("no receipt")
        }
        try receipt.finish()
        print("\(url.absoluteString.utf8.count) bytes of address")
    }

    static func finish(_ receipt: HandoffReceipt) throws {
        do { try receipt.finish() } catch {
            print(error)
            exit(2)
        }
    }

    static func receiver(_ storage: URL, group: URL? = nil) throws -> HandoffReceiver {
        let route = HandoffRoute(from: lite, to: paid, scheme: "trestle", returnScheme: "trestle-lite", group: group)
        return try HandoffReceiver(
            route,
            schemas: 1...1,
            maximumSize: .max,
            storage: storage,
            defaults: folder("DEFAULTS").map { HandoffDefaults(FolderDefaults.keys, in: FolderDefaults(folder: $0)) }
        )
    }

    /// The folder that a variable of the environment names.
    static func folder(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment[name].map { URL(fileURLWithPath: $0) }
    }

    static func sender(
        of files: [HandoffContents.File],
        storage: URL,
        group: URL? = nil
    ) throws -> HandoffSender {
        let route = HandoffRoute(from: lite, to: paid, scheme: "trestle", returnScheme: "trestle-lite", group: group)
        return try HandoffSender(route, storage: storage) {
            HandoffContents(schema: 1, files: files)
        }
    }

    /// The address in a file.
    static func address(_ file: URL) throws -> URL {
        guard let url = URL(string: try String(contentsOf: file, encoding: .utf8)) else { throw HandoffError.notALink }
        return url
    }

    static func files(in folder: URL) throws -> [HandoffContents.File] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).sorted()
        return names.map { HandoffContents.File($0, at: folder.appending(path: $0)) }.filter { file in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: file.url.path(), isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}
