/// The page in the `srcdoc` of an `<iframe>`.
struct PageFrame {
    // More frames, or deeper ones, would take time by the square of a page's length, and nobody writes them.
    private static let maximumDepth = 3
    private static let maximumCount = 64

    /// The number of frames in a file that may still be read.
    final class Budget {
        private var count = PageFrame.maximumCount

        /// Whether one more frame may be read, at a depth.
        func allowsFrame(atDepth depth: Int) -> Bool {
            guard depth <= PageFrame.maximumDepth, count > 0 else { return false }
            count -= 1
            return true
        }
    }

    let element: HTMLElement
    let page: HTMLPage
    /// The offset of each byte of the page in the page around it, and the offset of its end.
    private let offsets: [Int]

    init(_ element: HTMLElement, _ srcdoc: HTMLElement.Attribute, in bytes: [UInt8], depth: Int, _ budget: Budget) {
        let (content, offsets) = CharacterReferences.decodedBytes(bytes[srcdoc.valueRange])
        self.element = element
        self.offsets = offsets + [srcdoc.valueRange.upperBound]
        // A frame is HTML, also on a page of XHTML.
        page = HTMLPage(content, isXML: false, depth: depth, budget)
    }

    /// What the page's links need of the frame.
    var links: FrameLinks { FrameLinks(page) }

    /// The offset in the page around the frame.
    func outerOffset(_ offset: Int) -> Int { offsets[min(offset, offsets.count - 1)] }
}
