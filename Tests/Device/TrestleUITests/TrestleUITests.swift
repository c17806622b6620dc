import XCTest

/// Trestle in a simulator, with the system's own pasteboard and its own questions.
///
/// `Tests/Device/run` installs the app, puts a link on the pasteboard, and runs one of these at a time.
final class TrestleUITests: XCTestCase {
    override func setUp() {
        continueAfterFailure = false
    }

    @MainActor
    func testAllowPaste() {
        let app = openFromHomeScreen()
        answer("Allow Paste", in: app)
        expect("A referral was found", in: app)
        begin(app)
        XCTAssertEqual(app.staticTexts["referrer"].label, "Sent by: simulator")
        XCTAssertEqual(app.staticTexts["parameter"].label, "pack: gold")
    }

    @MainActor
    func testAllowPasteAfterTenSeconds() {
        let app = openFromHomeScreen()
        expect("has not answered yet", in: app)
        Thread.sleep(forTimeInterval: 7)
        answer("Allow Paste", in: app)
        expect("A referral was found", in: app)
    }

    @MainActor
    func testDontAllowPaste() {
        let app = openFromHomeScreen()
        answer("Don", in: app)
        expect("The pasteboard gave nothing", in: app)
    }

    /// The script opens the address; this looks at what came of it.
    @MainActor
    func testOpenedLink() {
        let app = trestle()
        app.activate()
        // The system may ask whether Trestle may open the address.
        let open = springboard().buttons["Open"]
        if open.waitForExistence(timeout: 5) { open.tap() }
        expect("Link: A referral was found", in: app)
        begin(app)
        XCTAssertEqual(app.staticTexts["referrer"].label, "Sent by: opened")
    }

    /// The system doesn't ask before an app pastes what it has copied itself.
    @MainActor
    func testOwnLink() {
        let app = trestle()
        app.launch()
        app.buttons["copy"].tap()
        app.buttons["check-now"].tap()
        expect("A referral was found", in: app)
        begin(app)
        XCTAssertEqual(app.staticTexts["referrer"].label, "Sent by: Trestle itself")
    }

    // MARK: - Help

    /// Ends the welcome of a new installation, until which a referral waits.
    @MainActor
    private func begin(_ app: XCUIApplication) {
        let button = app.buttons["begin"]
        if button.exists { button.tap() }
        XCTAssertTrue(app.staticTexts["referrer"].waitForExistence(timeout: 5), "the referral isn't shown")
    }

    @MainActor
    private func trestle() -> XCUIApplication {
        XCUIApplication(bundleIdentifier: "com.example.trestle")
    }

    @MainActor
    private func springboard() -> XCUIApplication {
        XCUIApplication(bundleIdentifier: "com.apple.springboard")
    }

    /// Opens Trestle as a person does. The system is said not to ask in an app that a test has launched:
    /// https://github.com/callstack/agent-device/issues/68
    @MainActor
    private func openFromHomeScreen() -> XCUIApplication {
        XCUIDevice.shared.press(.home)
        let icon = springboard().icons["Trestle"].firstMatch
        XCTAssertTrue(icon.waitForExistence(timeout: 10), "Trestle isn't on the home screen")
        for _ in 0..<4 where !icon.isHittable { springboard().swipeLeft() }
        icon.tap()
        return trestle()
    }

    /// Presses a button of the system's question, which is the app's alert or the system's.
    @MainActor
    private func answer(_ label: String, in app: XCUIApplication) {
        let predicate = NSPredicate(format: "label BEGINSWITH %@", label)
        let buttons = [springboard(), app].map { $0.alerts.buttons.matching(predicate).firstMatch }
        let deadline = Date().addingTimeInterval(20)
        while Date() < deadline {
            if let button = buttons.first(where: { $0.exists && $0.isHittable }) {
                keepPicture("question")
                return button.tap()
            }
            Thread.sleep(forTimeInterval: 0.3)
        }
        XCTFail("the system didn't ask, or there is no button \(label)")
    }

    /// Waits for a line in the log.
    @MainActor
    private func expect(_ text: String, in app: XCUIApplication) {
        let lines = app.staticTexts.matching(NSPredicate(format: "identifier == 'outcome' AND label CONTAINS %@", text))
        let isThere = lines.firstMatch.waitForExistence(timeout: 20)
        keepPicture(text)
        XCTAssertTrue(isThere, "the log has no line with: \(text)")
    }

    /// Keeps a picture of the screen in the test's results.
    @MainActor
    private func keepPicture(_ name: String) {
        let picture = XCTAttachment(screenshot: XCUIScreen.main.screenshot())
        picture.name = name
        picture.lifetime = .keepAlways
        add(picture)
    }
}
