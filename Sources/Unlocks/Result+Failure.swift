extension Result {
    /// The error; `nil` if there is none.
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }

    @MainActor
    init(_ body: @MainActor () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
