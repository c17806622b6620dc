// The codes that users give to friends, 12 symbols of which two check the others, and the guestbook's entries of users who came
// by them. Read InviteCode.

@_exported public import ReferralBasics
