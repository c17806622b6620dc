#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !targetEnvironment(macCatalyst)
import StoreKit
import ReferralBasics
import SwiftUI
import UIKit

extension View {
    /// Shows an app's page in the App Store over the view, without leaving the app. If the page can't be loaded, the App Store
    /// opens.
    func storePage(_ page: StorePage, isPresented: Binding<Bool>, clock: DeviceClock) -> some View {
        background(StorePagePresenter(page: page, isPresented: isPresented, clock: clock))
    }
}

private struct StorePagePresenter: UIViewControllerRepresentable {
    let page: StorePage
    @Binding var isPresented: Bool
    let clock: DeviceClock
    @Environment(\.openURL) private var openURL

    func makeUIViewController(context: Context) -> StorePageController { StorePageController() }

    func updateUIViewController(_ controller: StorePageController, context: Context) {
        controller.completion = { isPresented = false }
        controller.openURL = { url in openURL(url) }
        controller.wanted = isPresented ? StorePageController.Wanted(page: page, clock: clock) : nil
        controller.update()
    }
}

/// Presents the page. The system requires a controller that is presented, not one that is part of a view.
private final class StorePageController: UIViewController, SKStoreProductViewControllerDelegate {
    struct Wanted {
        let page: StorePage
        let clock: DeviceClock
    }

    /// The time, in seconds, that the page has to load.
    private static let timeLimit = 8.0

    var completion: () -> Void = {}
    var openURL: (URL) -> Void = { _ in }
    /// The page to show; `nil` if there should be none.
    var wanted: Wanted?
    private var shown: SKStoreProductViewController?
    /// Whether the page is being presented or dismissed.
    private var isMoving = false

    /// Presents the page, or dismisses it, once nothing else is being presented or dismissed: meanwhile the system would ignore it.
    func update() {
        guard !isMoving, (wanted == nil) != (shown == nil) else { return }
        if let transitionCoordinator {
            transitionCoordinator.animate(alongsideTransition: nil) { [weak self] _ in self?.update() }
            return
        }
        isMoving = true
        if let wanted { present(wanted) } else { dismissPage() }
    }

    private func present(_ wanted: Wanted) {
        let controller = SKStoreProductViewController()
        controller.delegate = self
        shown = controller
        present(controller, animated: true) { [weak self] in
            guard let self else { return }
            isMoving = false
            update()
            Task { await self.load(wanted, in: controller) }
        }
    }

    private func dismissPage() {
        shown?.dismiss(animated: true) { [weak self] in
            guard let self else { return }
            (shown, isMoving) = (nil, false)
            update()
        }
    }

    // The protocol isn't isolated. The system calls this on the main thread.
    nonisolated func productViewControllerDidFinish(_ controller: SKStoreProductViewController) {
        MainActor.assumeIsolated { close() }
    }

    private func close() {
        wanted = nil
        update()
        completion()
    }

    private func load(_ wanted: Wanted, in controller: SKStoreProductViewController) async {
        // The system may never answer, such as about an app that isn't sold in the user's country. Only the first answer counts.
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        Task {
            answer.yield((try? await controller.loadProduct(withParameters: wanted.page.parameters)) ?? false)
        }
        let limit = Task {
            await wanted.clock.sleep(Self.timeLimit)
            answer.yield(false)
        }
        var isLoaded = false
        for await answer in answers {
            isLoaded = answer
            break
        }
        limit.cancel()
        // Meanwhile, the user may have closed it.
        guard !isLoaded, shown === controller, self.wanted != nil else { return }
        close()
        if let address = URL(string: wanted.page.address) { openURL(address) }
    }
}

private extension StorePage {
    var parameters: [String: Any] {
        var parameters: [String: Any] = [:]
        parameters[SKStoreProductParameterITunesItemIdentifier] = UInt64(appID.description)
        parameters[SKStoreProductParameterProviderToken] = campaign?.providerToken
        parameters[SKStoreProductParameterCampaignToken] = campaign?.campaignToken
        parameters[SKStoreProductParameterCustomProductPageIdentifier] = customProductPage
        return parameters
    }
}
#endif
