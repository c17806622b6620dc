internal import UniformTypeIdentifiers

/// Two of its members are optional in Objective-C: `paste(itemProviders:)` and `canPaste(_:)`. Linux knows no optional
/// members, so each has a default implementation that takes the place of a member that isn't there, and records that it ran. A method
/// that looks much like one of them is none of them, here as there.
@MainActor
public protocol UIPasteConfigurationSupporting: NSObjectProtocol {
    var pasteConfiguration: UIPasteConfiguration? { get set }
    func paste(itemProviders: [NSItemProvider])
    func canPaste(_ itemProviders: [NSItemProvider]) -> Bool
}

extension UIPasteConfigurationSupporting {
    public func paste(itemProviders: [NSItemProvider]) { MissingMember.wasCalled = true }

    public func canPaste(_ itemProviders: [NSItemProvider]) -> Bool {
        MissingMember.wasCalled = true
        return false
    }
}

@MainActor
enum MissingMember {
    static var wasCalled = false

    /// Calls an optional member; `nil` if it isn't there, as optional chaining says.
    static func ifThere<Value>(_ call: () -> Value) -> Value? {
        wasCalled = false
        let value = call()
        return wasCalled ? nil : value
    }
}

@MainActor
open class UIPasteConfiguration: NSObject {
    open var acceptableTypeIdentifiers: [String]

    public init(acceptableTypeIdentifiers: [String]) {
        self.acceptableTypeIdentifiers = acceptableTypeIdentifiers
    }

    func accepts(_ itemProvider: NSItemProvider) -> Bool {
        let acceptable = acceptableTypeIdentifiers.compactMap { UTType($0) }
        return itemProvider.registeredTypeIdentifiers.contains { identifier in
            acceptable.contains { UTType(identifier)?.conforms(to: $0) ?? false }
        }
    }
}
