#if canImport(UniformTypeIdentifiers)
public import UniformTypeIdentifiers

extension UTType {
    /// The type of a receiver's files: `com.example.trestle.handoff` for `com.example.trestle`.
    ///
    /// The receiver declares it in its Info.plist; see <doc:WhichCarrier>.
    public static func handoff(_ route: HandoffRoute) -> UTType {
        UTType(exportedAs: "\(route.receiver).\(HandoffPackage.fileExtension)", conformingTo: .data)
    }
}
#endif
