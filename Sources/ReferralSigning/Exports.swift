// Private keys, which only the command has. Read PrivateKeyFile, then PrivateKey+Referral.

@_exported public import ReferralBasics
