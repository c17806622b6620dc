/// The names in the record type of `CloudKitGuestbook`: `Examples/Guestbook/Guestbook.ckdb` has its fields, indexes and rights.
package enum GuestbookSchema {
    package static let recordType = "Arrival"
    package static let program = "program"
    package static let referrer = "referrer"
    package static let event = "event"
    package static let day = "day"
    package static let format = "format"
}
