// What all libraries need: text formats, time, files, signatures, the app's activity, and the links that they exchange.
// Read Referral and ReferralLink first, which are the wire format; then StorePage and LandingPage, the two kinds of
// addresses, and Arrival, what an app receives. Text has the readers and writers, and OpenFile every access to the disk.
