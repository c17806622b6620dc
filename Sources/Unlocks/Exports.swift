// What a user may use, decided on the device: what they bought or earned, or had before.
// Read UnlockCenter first, which apps call; then Ledger, which decides, and Book, which writes it down; then Store, the App
// Store's side, Delivery, which gives content out, and Shop, the views.

// The catalog is a separate module, because the command reads it without the network code, and so are invite codes and entries of the
// guestbook, which the invitations have too. An app sees one library.
@_exported public import ReferralAppSupport
@_exported public import ReferralInviteCodes
@_exported public import UnlockCatalog
