import DataHandoff
import Foundation
import ReferralBridge

/// Reads any bytes as a package, as user defaults, and as the text of a link. What is read must read back the same from what is written of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let package = try? HandoffPackage(bytes: data) {
        precondition(package.contents.map(\.count) == package.manifest.files.map(\.length))
        let again = try? package.bytes()
        precondition(again.flatMap { try? HandoffPackage(bytes: $0).contents } == package.contents)
    }
    if let values = try? PropertyList.dictionary(data) { precondition((try? PropertyList.data(values)) != nil) }
    let text = String(decoding: data, as: UTF8.self)
    for scheme in ["trestle", "trestle-lite"] {
        guard let link = try? HandoffLink.parse(text, scheme: scheme) else { continue }
        let again = try? link.address(scheme: scheme)
        precondition(again.flatMap { try? HandoffLink.parse($0, scheme: scheme) } == link, text)
        if case .answer(_, let package) = link { _ = try? HandoffPackage(bytes: package) }
    }
    let old = OldAddress("myapp://localhost/importDatabase")
    if let file = try? old.file(in: text) {
        precondition((try? old.file(in: old.address(with: file))) == file, text)
    }
    return 0
}
