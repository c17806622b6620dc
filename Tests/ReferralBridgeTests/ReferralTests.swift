import Foundation
import ReferralBridge
import Testing

struct ReferralWritingTests {
    @Test("an empty referrer, and a parameter that would overwrite a member of the payload, are errors")
    func unwritable() {
        #expect(throws: ReferralError.invalidReferrer) { try Referral(referrer: "") }
        for name in ["timestamp", "referrer"] {
            #expect(throws: ReferralError.reservedParameterName(name)) {
                try Referral(referrer: "x", parameters: [name: "1"])
            }
        }
    }

    @Test(
        "times from 10^11 to below 10^16 are written, and no others",
        arguments: [
            (1e11, true), (1e11.nextDown, false), (1e16.nextDown, true), (1e16, false), (0, false), (-1, false),
            (.nan, false), (.infinity, false),
        ]
    )
    func timestamps(_ milliseconds: Double, isWritable: Bool) throws {
        let referral = try? Referral(referrer: "x", timestamp: Timestamp(milliseconds: milliseconds))
        #expect((referral != nil) == isWritable)
        guard let referral else { return }
        let link = try ReferralLink(page: StorePage(appID: 1), referral: referral)
        #expect(try ReferralLink(link.address).referral == referral, "what is written reads back the same")
    }

    @Test(
        "numbers are written as JavaScript prints them",
        arguments: [
            (1_795_224_750_690, "1795224750690"), (1_795_224_750_688.25, "1795224750688.25"),
            (9_999_999_999_999_998, "9999999999999998"), (100_000_000_000, "100000000000"),
        ]
    )
    func numbers(_ milliseconds: Double, text: String) throws {
        let referral = try Referral(referrer: "x", timestamp: Timestamp(milliseconds: milliseconds))
        #expect(referral.payload == #"{"timestamp":\#(text),"referrer":"x"}"#)
    }

    @Test("a payload has at most 8,192 bytes")
    func length() throws {
        let empty = try Referral(referrer: "x", timestamp: Fixture.now).payload.utf8.count - 1
        let room = Referral.maximumPayloadLength - empty
        let longest = try Referral(referrer: String(repeating: "x", count: room), timestamp: Fixture.now)
        #expect(longest.payload.utf8.count == 8_192)
        let link = try ReferralLink(page: StorePage(appID: 1), referral: longest)
        #expect(try ReferralLink(link.address).referral == longest)
        #expect(throws: ReferralError.payloadTooLong) {
            try Referral(referrer: String(repeating: "x", count: room + 1), timestamp: Fixture.now)
        }
    }

    @Test("all characters below U+0080 are escaped as JSON.stringify escapes them")
    func escapes() throws {
        let text = String(String.UnicodeScalarView((0..<128).compactMap(Unicode.Scalar.init)))
        let short = [
            "\u{8}": #"\b"#, "\t": #"\t"#, "\n": #"\n"#, "\u{C}": #"\f"#, "\r": #"\r"#, "\"": #"\""#, "\\": #"\\"#,
        ]
        let expected = text.unicodeScalars.map { scalar in
            short[String(scalar)] ?? (scalar.value < 0x20 ? String(format: "\\u%04x", scalar.value) : String(scalar))
        }
        let referral = try Referral(referrer: text, timestamp: Fixture.now)
        #expect(referral.payload == #"{"timestamp":1795224750690,"referrer":""# + expected.joined() + #""}"#)
    }

    @Test("the present is stamped in whole milliseconds")
    func present() {
        let before = Date().timeIntervalSince1970 * 1_000 - 1
        let now = Timestamp.now.milliseconds
        #expect(now == now.rounded())
        #expect(now >= before)
        #expect(now <= Date().timeIntervalSince1970 * 1_000)
    }

    @Test("a date becomes the millisecond that it was made from")
    func dates() {
        for milliseconds in [1_795_224_750_690.0, 1_795_224_750_691, 978_307_200_001, 4_102_444_800_000] {
            let date = Date(timeIntervalSince1970: milliseconds / 1_000)
            #expect(Timestamp(date).milliseconds == milliseconds)
        }
    }
}

struct ReferralReadingTests {
    @Test(
        "invalid payloads, and the rule that each breaks",
        arguments: [
            ("{", ReferralError.invalidJSON), (#"{"a":1,}"#, .invalidJSON), (#"{"a" 1}"#, .invalidJSON),
            (#"{"referrer":"x","timestamp":01795224750690}"#, .invalidJSON),
            (#"{"referrer":"x","timestamp":1795224750690.}"#, .invalidJSON),
            ("{\"referrer\":\"a\nb\",\"timestamp\":1795224750690}", .invalidJSON),
            (#"{"referrer":"\x","timestamp":1795224750690}"#, .invalidJSON),
            (#"{"referrer":"\ud800\ud800","timestamp":1795224750690}"#, .loneSurrogate),
            (#"{"referrer":"x","timestamp":1795224750690}x"#, .invalidJSON),
            ("\u{FEFF}{\"referrer\":\"x\",\"timestamp\":1795224750690}", .invalidUTF8),
            (#"{"referrer":"x","referrer":1,"timestamp":1795224750690}"#, .invalidReferrer),
            (#"{"referrer":"x","timestamp":1e999}"#, .invalidTimestamp),
            (#"{"referrer":"x","timestamp":1795224750690,"a":[{"b":"\ud83d"}]}"#, .loneSurrogate),
        ]
    )
    func noReferral(_ payload: String, error: ReferralError) {
        #expect(rule(Fixture.link(payload: payload)) == .invalidPayload(error))
    }

    @Test("an object may be nested 64 deep, itself counted", arguments: [(63, true), (64, false)])
    func nesting(_ arrays: Int, isReadable: Bool) {
        let deep = String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
        let payload = #"{"referrer":"x","timestamp":1795224750690,"deep":\#(deep)}"#
        #expect(rule(Fixture.link(payload: payload)) == (isReadable ? nil : .invalidPayload(.nestedTooDeeply)))
    }

    @Test(
        "white space of JSON may be between everything, and no other",
        arguments: [" ", "\t", "\n", "\r", "\u{C}", "\u{A0}"]
    )
    func whiteSpace(_ space: String) {
        let parts = ["", "{", #""referrer""#, ":", #""x""#, ",", #""timestamp""#, ":", "1795224750690", "}", ""]
        let link = try? ReferralLink(Fixture.link(payload: parts.joined(separator: space)))
        #expect((link != nil) == [" ", "\t", "\n", "\r"].contains(space))
    }

    @Test("names are compared byte by byte, which takes no longer for thousands of combining marks")
    func namesByBytes() throws {
        let payload = #"{"referrer":"x","timestamp":1795224750690,"\#u{E9}":"1","e\#u{301}":"2","e\#u{301}":"3"}"#
        let referral = try ReferralLink(Fixture.link(payload: payload)).referral
        #expect(referral.claims.parameters.map(\.value) == ["3", "1"])
        #expect(referral.parameters.map(\.value) == ["1"], "Swift takes both names for equal")
    }
}
