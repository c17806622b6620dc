extension Result {
    @MainActor
    init(_ body: @MainActor () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
