/// The record type of ``CloudKitGuestbook`` and its fields.
package enum GuestbookSchema {
    package static let recordType = "Arrival"
    package static let program = "program"
    package static let referrer = "referrer"
    package static let event = "event"
    package static let day = "day"
    package static let format = "format"
}
