import ReferralBridge
import SimulatedRuntime
import Testing

/// What the types of a clipboard say about who wrote it.
@MainActor
struct PasteboardProbeTests {
    private typealias Clipboard = SimulatedDevice.Clipboard

    @Test(
        "only what a page's script has copied is read, and the first launch is over after anything else",
        arguments: [
            Clipboard.address, Clipboard.selection, [], ["com.apple.WebKit.custom-pasteboard-data", "public.rtf"],
        ]
    )
    func other(types: [String]) {
        simulate { device in
            device.probe = .copiedByAPage
            device.copy(Clipboard(["https://example.com"], isLink: true, types: types))
            let app = device.open(.firstLaunch)
            device.wait(5)
            #expect(app?.outcomes == [.noLinkDetected])
            #expect(app?.reads == 0)
            device.leave()
            device.tap()
            device.open()
            device.wait(5)
            #expect(device.reported == [])
            #expect(app?.outcomes.last == .skipped)
        }
    }

    @Test(
        "a tap is read under either probe, also if its types come late",
        arguments: [.anyAddress, .copiedByAPage] as [PasteboardProbe]
    )
    func tap(probe: PasteboardProbe) {
        simulate { device in
            device.probe = probe
            device.probeLatency = 9_000
            device.tap()
            device.open(.firstLaunch)
            device.wait(30)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a pasteboard that can't list its types is read, as with any address")
    func unknownTypes() async {
        let ledger = InMemoryLedger()
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: InMemoryPasteboard([Fixture.link()]),
            ledger: ledger,
            clock: Fixture.clock
        )
        bridge.pasteboardProbe = .copiedByAPage
        bridge.onArrival = { _ in }
        #expect(await bridge.checkForReferralLinks().arrival != nil)
    }
}
