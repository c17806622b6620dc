// The items of a shop, as a file that is in the app, and that a server may replace.
// Read ShopCatalog and CatalogItem first, then CatalogValue, which says what a member of the file may be.

@_exported public import ReferralBasics
