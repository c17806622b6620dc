#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !targetEnvironment(macCatalyst)
import ReferralBridge
import StoreKit
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

    func makeUIViewController(context: Context) -> StorePageController { StorePageController() }

    func updateUIViewController(_ controller: StorePageController, context: Context) {
        controller.completion = { isPresented = false }
        if isPresented { controller.show(page, clock) } else { controller.hide() }
    }
}

/// Presents the page. The system requires a controller that is presented, not one that is part of a view.
private final class StorePageController: UIViewController, SKStoreProductViewControllerDelegate {
    /// The time, in seconds, that the page has to load.
    private static let timeLimit = 8.0

    var completion: () -> Void = {}
    private var shown: SKStoreProductViewController?

    func show(_ page: StorePage, _ clock: DeviceClock) {
        guard shown == nil else { return }
        let controller = SKStoreProductViewController()
        controller.delegate = self
        shown = controller
        // A controller can't be dismissed while it is being presented.
        present(controller, animated: true) { [weak self] in
            Task { await self?.load(page, in: controller, clock) }
        }
    }

    func hide() {
        guard let shown else { return }
        self.shown = nil
        shown.dismiss(animated: true)
    }

    // The protocol isn't isolated. The system calls this on the main thread.
    nonisolated func productViewControllerDidFinish(_ controller: SKStoreProductViewController) {
        MainActor.assumeIsolated {
            hide()
            completion()
        }
    }

    private func load(_ page: StorePage, in controller: SKStoreProductViewController, _ clock: DeviceClock) async {
        // The system may never answer, such as about an app that isn't sold in the user's country. Only the first answer counts.
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        Task { answer.yield((try? await controller.loadProduct(withParameters: page.parameters)) ?? false) }
        let limit = Task {
            await clock.sleep(Self.timeLimit)
            answer.yield(false)
        }
        var isLoaded = false
        for await answer in answers {
            isLoaded = answer
            break
        }
        limit.cancel()
        // Meanwhile, the user may have closed it.
        guard !isLoaded, shown === controller else { return }
        hide()
        completion()
        if let address = URL(string: page.address) { _ = await UIApplication.shared.open(address) }
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
