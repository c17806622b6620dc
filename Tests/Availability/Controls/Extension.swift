// Like Types.swift, for code that an app extension may link.

import Foundation

#if canImport(UIKit)
import UIKit

@MainActor func asksTheApplication(_ application: UIApplication, _ url: URL) async {
    // ios: 'shared' is unavailable in application extensions
    _ = UIApplication.shared
    // ios: unavailable in application extensions
    await application.open(url)
    _ = application.canOpenURL(url)
    _ = UIApplication.value(forKey: "sharedApplication") as? UIApplication
}

@available(iOSApplicationExtension, unavailable)
@available(macCatalystApplicationExtension, unavailable)
@available(visionOSApplicationExtension, unavailable)
@MainActor func isOnlyForApps() { _ = UIApplication.shared }
#endif
