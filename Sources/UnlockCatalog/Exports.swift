// What there is to have: the items of a shop, as a file that the app bundles and a server may renew.
// Read ShopCatalog and CatalogItem first, then MemberForm, which says what each member of the file may be.

@_exported public import ReferralBasics
