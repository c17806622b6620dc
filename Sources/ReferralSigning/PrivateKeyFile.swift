import ReferralFoundation

/// The text of a private key's file: PKCS#8 in PEM, as `openssl genpkey -algorithm ed25519` writes it (RFC 8410, RFC 7468).
package enum PrivateKeyFile {
    /// The longest text that is read, in bytes. A key's text has 119 bytes.
    package static let maximumLength = 64 << 10

    private static let begin: StaticString = "-----BEGIN "
    private static let end: StaticString = "\n-----END PRIVATE KEY-----"

    /// The object identifier of Ed25519, 1.3.101.112, in DER.
    private static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]

    /// The DER before a key's 32 bytes.
    private static let introduction: [UInt8] =
        [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03] + ed25519 + [0x04, 0x22, 0x04, 0x20]

    private static let keyLength = 32

    /// Why a text isn't a private key.
    package enum Problem: Error, Sendable, Equatable {
        case notPEM, damaged, encrypted, publicKey, otherFormat, otherAlgorithm, longForm
    }

    /// Makes a new key, and passes it to the body with the text of its file, which is erased when the body returns. If
    /// the system doesn't support Ed25519, returns the reason instead.
    package static func withNewKey<Failure>(
        _ body: (PrivateKey, UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> SigningError? {
        let head = introduction.count
        return try ErasedBytes.with(head + keyLength) { der throws(Failure) -> SigningError? in
            der.copyBytes(from: introduction)
            var generator = SystemRandomNumberGenerator()
            for index in head..<der.count { der[index] = generator.next() }
            let key: PrivateKey
            do throws(SigningError) {
                key = try PrivateKey(UnsafeRawBufferPointer(rebasing: der[head...]))
            } catch {
                return error
            }
            try withText(of: der) { text throws(Failure) in try body(key, text) }
            return nil
        }
    }

    private static func withText<Failure>(
        of der: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let (first, last) = ("-----BEGIN PRIVATE KEY-----\n".utf8, "\n-----END PRIVATE KEY-----\n".utf8)
        // 48 bytes are 64 digits without padding, in one line.
        let digits = Base64.encodedCount(der.count, .standard)
        try ErasedBytes.with(first.count + digits + last.count) { text throws(Failure) in
            let base64 = UnsafeMutableRawBufferPointer(rebasing: text[first.count...].prefix(digits))
            Base64.encode(
                UnsafeBufferPointer(der.bindMemory(to: UInt8.self)),
                into: base64.bindMemory(to: UInt8.self),
                .standard
            )
            text.copyBytes(from: first)
            UnsafeMutableRawBufferPointer(rebasing: text[(first.count + digits)...]).copyBytes(from: last)
            try body(UnsafeRawBufferPointer(text))
        }
    }
}

// MARK: - Keys where none belong

extension PrivateKeyFile {
    /// Whether a text contains a key in this file's format, as PEM or only its base64.
    package static func isKey(_ text: String) -> Bool {
        // The base64 of the bytes from the algorithm to the key, without the digits that share a byte with others.
        text.contains("PRIVATE KEY-----") || text.contains("BQYDK2VwBCIEI")
    }

    /// Whether a text may be just a key's bytes, in base64, base64url or hexadecimal. It may also be a public key.
    package static func isBareKey(_ text: String) -> Bool {
        let digits = text.utf8
        // 64 bytes are the private and the public key.
        if [64, 128].contains(digits.count), digits.allSatisfy({ ASCII.hexadecimalValue($0) != nil }) { return true }
        if [44, 88].contains(digits.count), text.hasSuffix("="), Base64.decode(digits, .standard) != nil {
            return true
        }
        // As in a JSON Web Key. Few file names are so long, without a dot and with mixed uppercase and lowercase
        // letters.
        return [43, 86].contains(digits.count)
            && digits.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
            && digits.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
            && digits.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0) }
    }
}

// MARK: - Reading

extension PrivateKeyFile {
    /// Reads a key. Copies of it are erased.
    package static func key(in text: UnsafeRawBufferPointer) throws(Problem) -> Result<PrivateKey, SigningError> {
        let base64 = try base64(in: text)
        return try ErasedBytes.with(base64.count) { digits throws(Problem) in
            var count = 0
            for byte in base64 where !ASCII.isWhiteSpace(byte) {
                guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+/=".utf8.contains(byte) else { throw .damaged }
                digits[count] = byte
                count += 1
            }
            return try ErasedBytes.with(count) { der throws(Problem) in
                let encoded = UnsafeBufferPointer(digits.bindMemory(to: UInt8.self))[..<count]
                guard let length = try? Base64.decode(encoded, into: der.bindMemory(to: UInt8.self)) else {
                    throw .damaged
                }
                let bytes = try privateKey(in: UnsafeRawBufferPointer(der)[..<length])
                return Result { () throws(SigningError) in try PrivateKey(UnsafeRawBufferPointer(rebasing: bytes)) }
            }
        }
    }

    /// The lines inside the first block with a private key. There may be other text and other blocks before it.
    private static func base64(in text: UnsafeRawBufferPointer) throws(Problem) -> Slice<UnsafeRawBufferPointer> {
        var label = text[...]
        var position = 0
        var other: Problem?
        repeat {
            guard let start = text.position(of: begin, from: position) else { throw other ?? .notPEM }
            label = text[(start + begin.utf8CodeUnitCount)...].prefix { $0 >= ASCII.space && $0 != ASCII.dash }
            position = label.endIndex
            // An encrypted key is a better explanation than any other content of the file.
            if other != .encrypted { other = problem(ofBlock: String(decoding: label, as: UTF8.self)) }
        } while !label.elementsEqual("PRIVATE KEY".utf8)
        let dashes: StaticString = "-----"
        guard text.position(of: dashes, from: label.endIndex) == label.endIndex,
            let end = text.position(of: end, from: label.endIndex)
        else { throw .damaged }
        return text[(label.endIndex + dashes.utf8CodeUnitCount)..<end]
    }

    private static func problem(ofBlock label: String) -> Problem {
        switch label {
        case "ENCRYPTED PRIVATE KEY": .encrypted
        case "PUBLIC KEY": .publicKey
        default: .otherFormat
        }
    }

    /// The 32 bytes in PKCS#8 as programs write it. Short attributes and the public key (RFC 5958) may follow.
    private static func privateKey(
        in der: Slice<UnsafeRawBufferPointer>
    ) throws(Problem) -> Slice<UnsafeRawBufferPointer> {
        // The second byte is the length, and the fifth the version.
        let head = der.prefix(introduction.count)
        guard head.count > 2, head.first == introduction[0] else { throw .damaged }
        guard head.dropFirst(9).prefix(3).elementsEqual(ed25519) || head[1] >= 0x80 else { throw .otherAlgorithm }
        guard head[1] < 0x80 else { throw der.contains(ed25519) ? .longForm : .otherAlgorithm }
        let bytes = der.dropFirst(introduction.count).prefix(keyLength)
        guard der.count == 2 + Int(head[1]), bytes.count == keyLength, head[2..<4].elementsEqual(introduction[2..<4]),
            head[5...].elementsEqual(introduction[5...])
        else { throw .damaged }
        return bytes
    }
}

extension PrivateKeyFile.Problem: CustomStringConvertible {
    private static let remedy =
        "'referral-tool key --out FILE' or 'openssl genpkey -algorithm ed25519' writes a private key"

    /// The problem with the file and the solution, without any of its content.
    package var description: String {
        let (problem, remedy) =
            switch self {
            case .notPEM: ("it contains no private key in PEM", Self.remedy)
            case .damaged: ("it is damaged or cut off", Self.remedy)
            case .encrypted:
                ("it is encrypted", "'openssl pkey -in FILE -out NEWFILE' asks for the password and decrypts the key")
            case .publicKey: ("it is a public key, not the private key that belongs to it", Self.remedy)
            case .longForm: ("it contains more than a key", "'openssl pkey -in FILE -out NEWFILE' writes the key alone")
            case .otherFormat: ("it contains something other than a private key in PKCS#8", Self.remedy)
            case .otherAlgorithm: ("it is a key for an algorithm other than Ed25519", Self.remedy)
            }
        return problem + "; " + remedy
    }
}

private extension UnsafeRawBufferPointer {
    func position(of text: StaticString, from start: Int) -> Int? {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return indices.dropFirst(start).first { self[$0...].starts(with: text) }
    }
}
