// The code is a separate module, because the unlocks compare codes too. An app sees one library.
@_exported public import ReferralInviteCodes
