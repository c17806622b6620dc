import Foundation
import ReferralBridge
import TestSupport
import Testing

struct PublicKeyTests {
    private static let text = "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="

    @Test("a key is written as it was read")
    func text() throws {
        let key = try #require(PublicKey(Self.text))
        #expect(key.description == Self.text)
        #expect(key.rawRepresentation == Data(base64Encoded: Self.text))
        #expect(PublicKey(rawRepresentation: key.rawRepresentation) == key)
        let literal: PublicKey = "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="
        #expect(literal == key)
    }

    @Test("a key has 32 bytes", arguments: [0, 1, 31, 32, 33, 64])
    func length(count: Int) {
        let bytes = Data(repeating: 0x66, count: count)
        #expect((PublicKey(rawRepresentation: bytes) != nil) == (count == 32))
        #expect((PublicKey(bytes.base64EncodedString()) != nil) == (count == 32))
    }

    @Test("a point of small order isn't a key, in any encoding, since anybody can sign for it")
    func smallOrder() throws {
        let points = try readVectors("signing", as: SigningVectors.self).smallOrder ?? []
        for text in points {
            #expect(PublicKey(text) == nil, "\(text)")
            let bytes = try #require(Data(base64Encoded: text))
            #expect(PublicKey(rawRepresentation: bytes) == nil, "\(text)")
            // With another byte it is another point, or none.
            for index in bytes.indices.dropLast() {
                var other = bytes
                other[index] ^= 0x10
                #expect(PublicKey(rawRepresentation: other) != nil, "\(text), \(index)")
            }
        }
    }

    @Test(
        "only base64 with padding, and with nothing around it, is a key",
        arguments: [
            "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go", "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go=\n",
            " nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go=", "nCNWIVc22bR7mbMg-VAMokGuHQtjgw7v3DH5Inwk1Go=",
            "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go==", "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Gp=",
            "-----BEGIN PUBLIC KEY-----",
        ]
    )
    func form(text: String) {
        #expect(PublicKey(text) == nil)
    }
}
