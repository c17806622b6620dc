import ReferralBridge
import Testing

/// The file in which an App Clip leaves its address.
struct ClipHandoverTests {
    @Test(
        "a file whose member name has a hundred thousand combining marks is read as fast as any other",
        .timeLimit(.minutes(5))
    )
    func marks() throws {
        // Marks of two combining classes in turn. Swift's own comparison sorts them all.
        let marks = String(repeating: "\u{301}\u{323}", count: 60_000)
        let moment = Timestamp(milliseconds: 1_795_224_750_690)
        let json = #"{"\u0078\#(marks)":1,"format":1,"address":"https://example.com","opened":1795224750690}"#
        #expect(json.utf8.count < ClipHandover.maximumFileLength)
        for _ in 0..<20 {
            let file = try ClipFile(Array(json.utf8), now: moment, window: .standard)
            #expect(file.address == "https://example.com")
        }
    }
}
