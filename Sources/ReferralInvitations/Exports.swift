// One person invites another, and both are thanked: a code, and a guestbook of who came by whose code.
// Read InviteProgram and Invitation first; then InviteCenter, which signs and counts, and InviteRecord, what it remembers;
// then Guestbook, and the views.

// The code is a separate module, because the unlocks compare codes too. An app sees one library.
@_exported public import ReferralInviteCodes
