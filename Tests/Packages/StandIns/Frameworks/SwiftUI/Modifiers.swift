public import StoreKit

extension View {
    public func task(
        id value: some Equatable,
        name: String? = nil,
        priority: TaskPriority = .userInitiated,
        file: String = #fileID,
        line: Int = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        task(name: name, priority: priority, file: file, line: line, action)
    }

    public func task(
        name: String? = nil,
        priority: TaskPriority = .userInitiated,
        file: String = #fileID,
        line: Int = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        nonisolated(unsafe) let action = action
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.tasks.append(action)
        }
    }

    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.urlActions.append(action)
        }
    }

    public func onContinueUserActivity(
        _ activityType: String,
        perform action: @escaping (NSUserActivity) -> Void
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.userActivityActions.append((activityType, action))
        }
    }

    public func appStoreOverlay(
        isPresented: Binding<Bool>,
        configuration: @escaping () -> SKOverlay.Configuration
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            if isPresented.wrappedValue { rendering.storeOverlays.append(configuration()) }
        }
    }

    public func disabled(_ disabled: Bool) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view) { $0.isDisabled = $0.isDisabled || disabled }
        }
    }

    public func accessibilityLabel(_ label: Text) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view) { $0.label = label.sentence.text }
            rendering.noteKey(of: label)
            rendering.labels.append(label.sentence.text)
        }
    }

    public func accessibilityValue(_ value: Text) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view) { $0.value = value.sentence.text }
            rendering.noteKey(of: value)
        }
    }

    public func onSubmit(_ action: @escaping () -> Void) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.textFields.count
            rendering.add(view)
            for index in rendering.textFields.indices.dropFirst(count) { rendering.textFields[index].action = action }
        }
    }
}

// MARK: - What says nothing of what a view came to

public enum Font: Sendable {
    case title, headline, subheadline
}

public enum HierarchicalShapeStyle: Sendable {
    case secondary
}

public enum PrimitiveButtonStyle: Sendable {
    case bordered, borderless
}

public enum AccessibilityTraits: Sendable {
    case isHeader
}

public enum AccessibilityChildBehavior: Sendable {
    case combine
}

extension View {
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    public func accessibilityIdentifier(_ identifier: String) -> some View { self }
    public func accessibilityInputLabels(_ inputLabels: [Text]) -> some View { self }
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
    public func background(_ background: some View) -> some View { self }
    public func buttonStyle(_ style: PrimitiveButtonStyle) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func foregroundStyle(_ style: HierarchicalShapeStyle) -> some View { self }
    public func frame(
        minWidth: Double? = nil,
        maxWidth: Double? = nil,
        minHeight: Double? = nil,
        maxHeight: Double? = nil
    ) -> some View { self }
    public func ignoresSafeArea() -> some View { self }
    public func onChange<Value: Equatable>(of value: Value, perform: @escaping (Value) -> Void) -> some View { self }
    public func padding() -> some View { self }
    public func scaledToFit() -> some View { self }
    public func tag(_ tag: some Hashable) -> some View { self }
}

#if canImport(UIKit)
public enum TextInputAutocapitalization: Sendable {
    case characters
}

extension View {
    public func keyboardType(_ type: UIKeyboardType) -> some View { self }
    public func textInputAutocapitalization(_ style: TextInputAutocapitalization?) -> some View { self }
}
#endif
