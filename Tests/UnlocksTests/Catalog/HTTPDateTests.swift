import Foundation
import Testing

@testable import Unlocks

/// The date of a server's answer, which corrects a clock that was ahead.
struct HTTPDateTests {
    @Test("the form that servers must write is read, and no other one")
    func forms() {
        #expect(HTTPDate.date("Sun, 06 Nov 1994 08:49:37 GMT") == Date(timeIntervalSince1970: 784_111_777))
        #expect(HTTPDate.date("Thu, 31 Dec 2026 23:59:59 GMT") == Date(timeIntervalSince1970: 1_798_761_599))
        for text in [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 31 Feb 2026 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49 GMT extra",
            "Sun, 06 Nov 99999 08:49:37 GMT",
        ] {
            #expect(HTTPDate.date(text) == nil, "\(text)")
        }
    }

    @Test("an answer that a cache has kept is as late as its age says")
    func age() {
        let (text, date) = ("Sun, 06 Nov 1994 08:49:37 GMT", Date(timeIntervalSince1970: 784_111_777))
        #expect(HTTPDate.answered(text, age: nil) == date)
        #expect(HTTPDate.answered(text, age: "2592000") == date + 2_592_000)
        for age in ["", "-1", "1.5", "many", "99999999999999999999"] {
            #expect(HTTPDate.answered(text, age: age) == date, "\(age)")
        }
        #expect(HTTPDate.answered(nil, age: "1") == nil)
        #expect(HTTPDate.answered("today", age: "1") == nil)
    }
}
