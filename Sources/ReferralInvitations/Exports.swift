// One person invites another, and both are thanked: a code, and a guestbook of who came by whose code.
// Read InviteProgram and Invitation first; then Invites and its extensions, which decide everything, and InviteRecord, what they
// remember; then InviteCenter, which performs it with a Guestbook and a file; then the views.

// The code is a separate module, because the unlocks compare codes too. An app sees one library.
@_exported public import ReferralAppSupport
@_exported public import ReferralInviteCodes
