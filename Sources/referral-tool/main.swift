import ReferralBridge
do { print(try ReferralLink(parsing: CommandLine.arguments[1])) } catch { print(error) }
