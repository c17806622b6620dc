internal import UniformTypeIdentifiers

/// https://developer.apple.com/documentation/uikit/uipasteconfigurationsupporting
///
/// Two of its members are optional in Objective-C: `paste(itemProviders:)` and `canPaste(_:)`. Linux knows no optional
/// members, so there each has a default implementation that takes the place of a member that isn't there, and records that it
/// ran. For Apple's platforms `paste(itemProviders:)` is required, so that a misspelled name doesn't compile.
@available(iOS 11.0, *)
@MainActor @preconcurrency
public protocol UIPasteConfigurationSupporting: NSObjectProtocol {
    var pasteConfiguration: UIPasteConfiguration? { get set }
    func paste(itemProviders: [NSItemProvider])
    #if os(Linux)
    func canPaste(_ itemProviders: [NSItemProvider]) -> Bool
    #endif
}

#if os(Linux)
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
#endif

/// https://developer.apple.com/documentation/uikit/uipasteconfiguration
@available(iOS 11.0, *)
@MainActor @preconcurrency
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
