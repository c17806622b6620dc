// The codes that users give to friends: 12 symbols, of which two check the others. Read InviteCode.

@_exported public import ReferralBasics
