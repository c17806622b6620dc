// What all libraries and the command need: text formats, time, signatures, links and the judgment on them.
// Read Referral and ReferralLink first, which are the wire format; then StorePage and LandingPage, the two kinds of addresses,
// ReferralScanner, which judges strings at a given time, and Arrival, what an app receives. Text has the readers and
// writers, and CopySnippet the JavaScript of a page.
