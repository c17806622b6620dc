// The command that the tests in this folder compare JavaScript with. `Tests/all` names it in REFERRAL_TOOL.
export const tool = process.env.REFERRAL_TOOL;
export const skip = tool ? false : 'REFERRAL_TOOL names no command';
