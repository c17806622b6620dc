@_exported public import ReferralBasics
// An App Clip links to a small library of its own. The app sees one library.
@_exported public import ReferralClip
