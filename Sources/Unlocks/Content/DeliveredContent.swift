import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a grant, in which files of another one may be too: a subscription's renewal has those of the month before.
struct DeliveredContent {
    let folder: URL
    /// The files that the catalog names for it now.
    let files: [CatalogItem.File]
}
