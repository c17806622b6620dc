import Foundation

/// How much of something a test takes: a sample in the short form of the tests, and all of it in the long one.
package func samples(_ few: Int, long all: Int) -> Int { isLong ? all : few }

private let isLong = ProcessInfo.processInfo.environment["LONG_TESTS"] == "1"
