package import ReferralFoundation

/// The content of a grant. It may contain files of another grant: a subscription's renewal has those of the month before.
package struct DeliveredContent {
    package let folder: URL
    /// The files that the catalog names for it now.
    package let files: [CatalogItem.File]
}
