// A tap on a web page, found again in the app: the bridge looks at the pasteboard, judges what it reads, and reports once.
// Read ReferralScanner in ReferralBasics first, which judges strings; then Launch and its extensions, which decide everything from
// an activation to an outcome; then AppStoreBridge and its extension +Launch, which perform it with a Pasteboard and a
// ReferralLedger.

@_exported public import ReferralAppSupport
// An App Clip links to a small library of its own. The app sees one library.
@_exported public import ReferralClip
