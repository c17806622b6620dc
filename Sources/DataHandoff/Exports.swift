// Files from one app into another of the same developer, on a link, in a file or in a shared folder.
// Read HandoffRoute and HandoffPackage first, which say who may send what; then HandoffSender and HandoffReceiver, the two
// ends; then Installation, which changes everything or nothing.

@_exported public import ReferralBasics
