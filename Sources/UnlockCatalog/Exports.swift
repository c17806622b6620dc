// The items of a shop, as a file that is in the app, and that a server may replace.
// Read ShopCatalog and CatalogItem first, then MemberForm, which says what each member of the file may be.

@_exported public import ReferralBasics
