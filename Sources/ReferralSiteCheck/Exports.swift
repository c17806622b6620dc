// The rules for the pages of a site, its association file and the app's property lists. Only the command links it.
// Read SiteChecker first; then Rule, the list of what is checked, and the folder Rules; then HTML, Policy, Association and
// PropertyList, which read the files.

@_exported public import ReferralBasics
