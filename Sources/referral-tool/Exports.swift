@_exported public import ReferralBasics
