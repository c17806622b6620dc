// What the check must find, and what it must accept. A comment names the platforms and a part of the message for the line
// below it. A line without one must compile everywhere.

import Darwin
import Foundation
import StoreKit
import SwiftUI
import Synchronization

#if canImport(UIKit)
import UIKit
#endif

enum Failure: Error { case some }

func newFunctions(_ text: String, _ url: URL) async throws {
    // ios, catalyst: only available in iOS 16.0
    _ = text.unicodeScalars.firstRange(of: "://".unicodeScalars)
    // ios, catalyst: only available in iOS 16.0
    _ = url.appending(path: "x")
    _ = url.appendingPathComponent("x")
    // ios, catalyst: only available in iOS 16.0
    _ = text.split(separator: "ab")
    _ = text.split(separator: ",")
    // ios, catalyst: only available in iOS 16.0
    _ = text.replacing("a", with: "b")
    _ = Date.now
    try await Task.sleep(nanoseconds: 1)
    // ios, catalyst: only available in iOS 16.0
    try await Task.sleep(for: .seconds(1))
    // ios, catalyst: only available in iOS 16.0
    _ = ContinuousClock().now
    // ios, catalyst: only available in iOS 18.0
    // macos: only available in macOS 15.0
    // visionos: only available in visionOS 2.0
    _ = String(validating: Array(text.utf8), as: UTF8.self)
    _ = try await URLSession(configuration: .ephemeral).data(for: URLRequest(url: url))
    if #available(iOS 16, macOS 13, visionOS 1, *) { _ = url.appending(path: "x") }
}

func newTypes() {
    // ios, catalyst: only available in iOS 18.0
    // macos: only available in macOS 15.0
    // visionos: only available in visionOS 2.0
    _ = Mutex(0)
    // ios, catalyst: only available in iOS 16.0
    _ = /a+/
    // ios, catalyst: only available in iOS 16.0
    _ = AppTransaction.self
    // ios, catalyst: only available in iOS 16.0
    _ = PasteButton.self
}

func deprecated() {
    // ios, catalyst, visionos, macos: was deprecated in
    _ = URLSession()
}

func undeclared() {
    // ios, catalyst, visionos, macos: has no member 'ubiquityIdentityToken'
    _ = FileManager.default.ubiquityIdentityToken
    // ios, catalyst, visionos, macos: cannot find 'NSMetadataQuery' in scope
    _ = NSMetadataQuery()
}

func onlyForTests() {
    // ios, catalyst, visionos, macos: inaccessible due to 'package' protection level
    _ = Transaction.history
}

// MARK: Features that need a newer runtime

func isThere(_ seal: ((Int) throws(Failure) -> Int)?) -> Bool {
    // ios: typed throws function types is only available in iOS 18.0
    // catalyst: typed throws function types is only available in Mac Catalyst 18.0
    // macos: typed throws function types is only available in macOS 15.0
    // visionos: typed throws function types is only available in visionOS 2.0
    seal == nil
}

func isMissing(_ seal: ((Int) throws(Failure) -> Int)?) -> Bool {
    // ios: typed throws function types is only available in iOS 18.0
    // catalyst: typed throws function types is only available in Mac Catalyst 18.0
    // macos: typed throws function types is only available in macOS 15.0
    // visionos: typed throws function types is only available in visionOS 2.0
    if seal != nil { return false }
    if case .some = seal { return false }
    return true
}

func isThere(plain seal: ((Int) throws -> Int)?) -> Bool { seal == nil }

// ios, catalyst, macos: parameter packs in generic types are only available in
struct Box<each Element> {}

func strings(_ value: Any) -> Bool {
    // ios, catalyst: parameterized protocol types is only available in
    value is any Collection<String>
}

// MARK: Actors and enumerations of Apple's frameworks

#if canImport(UIKit)
func appTransaction() {
    // ios, catalyst: only available in iOS 16.0
    _ = AppTransaction.self
}

func state() -> UIApplication.State {
    // ios, catalyst, visionos: main actor-isolated
    UIApplication.shared.applicationState
}

@MainActor func name(_ state: UIApplication.State) -> String {
    // ios, catalyst, visionos: may have additional unknown values
    switch state {
    case .active: "active"
    case .inactive: "inactive"
    case .background: "background"
    }
}

@MainActor func buy(_ product: Product) async throws {
    // visionos: 'purchase(options:)' is unavailable in visionOS
    _ = try await product.purchase()
}
#endif

func processes() {
    // ios, catalyst, macos, visionos: 'popen' is unavailable
    _ = popen("", "r")
}
