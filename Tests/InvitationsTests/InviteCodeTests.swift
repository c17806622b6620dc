import Foundation
import Invitations
import SimulatedRuntime
import Testing

/// Codes: reading, writing, and the mistakes that are noticed.
struct InviteCodeTests {
    @Test("a code is read as the reference reads it", arguments: InviteVectors.all.codes)
    func reading(_ vector: InviteVectors.Code) {
        do throws(InviteCodeError) {
            #expect(try InviteCode(vector.text).text == vector.code)
        } catch {
            switch error {
            case .unexpectedCharacter: #expect(vector.error == "unexpectedCharacter")
            case .mistyped: #expect(vector.error == "mistyped")
            case .wrongLength(let count):
                #expect(vector.error == "wrongLength")
                #expect(vector.count == count)
            }
        }
    }

    @Test("the check symbols are the reference's", arguments: InviteVectors.all.made)
    func made(_ vector: InviteVectors.Made) throws {
        let symbols = vector.symbols.unicodeScalars.compactMap(InviteCode.symbol)
        try #require(symbols.count == InviteCode.randomSymbolCount)
        #expect(InviteCode(random: symbols).text == vector.code)
    }

    @Test("there are cases")
    func areCases() {
        #expect(InviteVectors.all.codes.count >= 42)
        #expect(InviteVectors.all.made.count >= 9)
        #expect(InviteVectors.all.recordNames.count >= 7)
        #expect(InviteVectors.all.counting.count >= 44)
        #expect(InviteVectors.all.signing.count >= 47)
    }

    @Test("what is written is read back, without and with hyphens, in lower case too")
    func roundTrip() throws {
        var generator = SeededGenerator(state: 1)
        for _ in 0..<1_000 {
            let code = InviteCode.random(using: &generator)
            #expect(try InviteCode(code.text) == code)
            #expect(try InviteCode(code.text.lowercased().replacing("-", with: "")) == code)
        }
    }

    @Test("new codes differ, and use all symbols")
    func random() {
        let codes = Set((0..<1_000).map { _ in InviteCode.random().text })
        #expect(codes.count == 1_000)
        #expect(Set(codes.joined()).count == 33)
    }

    private static let samples: [[UInt8]] = {
        var generator = SeededGenerator(state: 7)
        return (0..<1_000).map { _ in InviteCode.random(using: &generator).text.utf8.filter { $0 != UInt8(ascii: "-") }
        }
    }()

    private static let symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.map { $0 }

    private func isRead(_ symbols: [UInt8]) -> Bool {
        (try? InviteCode(String(decoding: symbols, as: UTF8.self))) != nil
    }

    @Test("a person who mistypes one symbol thanks nobody else: every single mistake is noticed, in 1,000 codes")
    func singleMistakes() {
        var missed = 0
        for code in Self.samples {
            for position in code.indices {
                var other = code
                for symbol in Self.symbols where symbol != code[position] {
                    other[position] = symbol
                    if isRead(other) { missed += 1 }
                }
            }
        }
        #expect(missed == 0)
    }

    /// In unoptimized code 20 codes take seconds. `CODES=1000` tries them all.
    @Test("every pair of mistakes is noticed")
    func pairsOfMistakes() {
        let count = ProcessInfo.processInfo.environment["CODES"].flatMap { Int($0) } ?? 5
        var missed = 0
        for code in Self.samples.prefix(count) {
            for first in code.indices {
                for second in code.indices where second > first {
                    var other = code
                    for one in Self.symbols where one != code[first] {
                        other[first] = one
                        for two in Self.symbols where two != code[second] {
                            other[second] = two
                            if isRead(other) { missed += 1 }
                        }
                    }
                }
            }
        }
        #expect(missed == 0)
    }

    @Test("every exchange of two different symbols is noticed, in 1,000 codes")
    func exchanges() {
        var missed = 0
        for code in Self.samples {
            for first in code.indices {
                for second in code.indices where second > first && code[first] != code[second] {
                    var other = code
                    other.swapAt(first, second)
                    if isRead(other) { missed += 1 }
                }
            }
        }
        #expect(missed == 0)
    }

    @Test("a very long text is an error at once")
    func longText() {
        let text = String(repeating: "0", count: 1_000_000)
        #expect(throws: InviteCodeError.wrongLength(1_000_000)) { try InviteCode(text) }
    }
}
