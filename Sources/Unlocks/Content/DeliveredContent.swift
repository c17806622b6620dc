package import ReferralFoundation

/// The content of a grant, in which files of another one may be too: a subscription's renewal has those of the month before.
package struct DeliveredContent {
    package let folder: URL
    /// The files that the catalog names for it now.
    package let files: [CatalogItem.File]
}
