// A store that plays a script, for an app's tests and previews. Read ScriptedStore.

@_exported public import ReferralBasics
