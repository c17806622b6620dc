#if !canImport(Combine)
/// Notifies views of changes. This platform has no views.
struct ChangeSignal { func send() {} }
#endif
