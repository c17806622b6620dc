// Like Types.swift, for what the compiler finds only when all types are right.

import Foundation

func send(_ defaults: UserDefaults) async {
    // ios, catalyst, macos, visionos: sending
    await Task.detached { defaults.set(1, forKey: "") }.value
    defaults.set(2, forKey: "")
}
