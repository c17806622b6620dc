// What the libraries need in a running app: files, clocks, links that open the app, and whether it is active. The command doesn't
// compile it. Read EventHandling first, which each library's state uses, and OpenFile, through which all access to the disk goes.

@_exported public import ReferralBasics
