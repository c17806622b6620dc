#if !canImport(Combine)
/// Tells views that something changes. There are none here.
struct ChangeSignal {
    func send() {}
}
#endif
