/// The page in the `srcdoc` of an `<iframe>`.
struct PageFrame {
    // Without these limits, the time would grow with the square of a page's length. No real page exceeds them.
    private static let maximumDepth = 3
    private static let maximumCount = 64

    /// The number of frames in a file that may still be read.
    final class Budget {
        private var count = PageFrame.maximumCount

        /// Whether another frame may be read at this depth.
        func allowsFrame(atDepth depth: Int) -> Bool {
            guard depth <= PageFrame.maximumDepth, count > 0 else { return false }
            count -= 1
            return true
        }
    }

    let element: HTMLElement
    let page: HTMLPage
    /// The offset in the surrounding page of each byte of this page, and of its end.
    private let offsets: [Int]

    init(_ element: HTMLElement, _ srcdoc: HTMLElement.Attribute, in bytes: [UInt8], depth: Int, _ budget: Budget) {
        let (content, offsets) = CharacterReferences.decodedBytes(bytes[srcdoc.valueRange])
        self.element = element
        self.offsets = offsets + [srcdoc.valueRange.upperBound]
        // A frame is HTML, even on a page of XHTML.
        page = HTMLPage(content, isXML: false, depth: depth, budget)
    }

    /// The offset in the surrounding page.
    func outerOffset(_ offset: Int) -> Int { offsets[min(offset, offsets.count - 1)] }
}
