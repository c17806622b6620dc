// What a page written in TypeScript does with the scripts. Nothing runs it: it only has to compile.

import 'referral-bridge';
import 'referral-bridge/min';
import 'referral-bridge/keep';
import 'referral-bridge/store-page';
import 'referral-bridge/referral-reader';
import 'referral-bridge/qr-code';

const ed: string = ReferralBridge.payload({ timestamp: Date.now(), referrer: 'alice', pack: 'gold' });
const link: string = ReferralBridge.link('https://apps.apple.com/app/id1300230302', ed);
declare const parameters: Record<string, string>;
ReferralBridge.payload({ ...parameters, timestamp: Date.now(), referrer: 'alice' });
const tap: ReferralTap<'pack'> = { timestamp: Date.now(), referrer: 'alice', pack: 'gold' };
ReferralBridge.payload(tap);
// @ts-expect-error A parameter is a string.
ReferralBridge.payload({ timestamp: Date.now(), referrer: 'alice', level: 7 });
// @ts-expect-error It holds no other data.
ReferralBridge.payload({ timestamp: Date.now(), referrer: 'alice', board: { rows: '9' } });
// @ts-expect-error Every tap has a referrer.
ReferralBridge.payload({ timestamp: Date.now() });
// @ts-expect-error The time is in milliseconds, not a date.
ReferralBridge.payload({ timestamp: new Date(), referrer: 'alice' });

const button = document.querySelector('button');
if (button) button.onclick = () => { const copied: boolean = ReferralBridge.copy(link, button); };
document.addEventListener('referral:copied', ({ detail, target }) => {
  const copied: boolean = detail.copied;
  const address: string = detail.link;
  // @ts-expect-error What was copied can't be changed.
  detail.link = '';
});
window.addEventListener('referral:copied', ({ detail }) => detail.copied);
document.body.addEventListener('referral:copied', event => { const type: 'referral:copied' = event.type; });
document.body.attachShadow({ mode: 'open' }).addEventListener('referral:copied', ({ detail }) => detail.copied);

const page: string = StorePage.make({ appID: 1300230302, storefront: 'us', slug: null, pt: '9', ct: 'spring' });
const { appID, ppid }: { appID: string; ppid: string | null } = StorePage.parse(page);
StorePage.with(page, { ppid: '00000000-0000-0000-0000-000000000000' });
// @ts-expect-error A page is one app's.
StorePage.make({ storefront: 'us' });
try {
  StorePage.with(page);
} catch (error) {
  const { part, message } = error as StorePageError;
  const isCampaign: boolean = part === 'pt' || part === 'ct';
  // @ts-expect-error No part has this name.
  const isOther: boolean = part === 'campaign';
}

const judgment = ReferralReader.judge(link, { appID, window: Infinity, hosts: ['example.com'], signers: [] });
if (judgment.verdict === 'found') console.log(judgment.reason, judgment.referrer?.length, judgment.parameters?.pack);
// @ts-expect-error A part that couldn't be read is null.
judgment.referrer.length;
// @ts-expect-error Signatures take time to judge: that is judgeSigned.
ReferralReader.judge(link, { signers: ['11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='] });

export const signed = async (strings: Set<string>): Promise<string> => {
  if (!await ReferralReader.canJudgeSignatures()) return '';
  const signers = ['11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='] as const;
  const { verdict } = await ReferralReader.judgeSigned(link, { appID, signers });
  switch (verdict) {
    case 'notSigned': case 'wrongSignature': case 'campaignOver': return verdict;
  }
  // @ts-expect-error Signed strings are judged by someone's keys.
  await ReferralReader.scanSigned(strings, { appID });
  const { found, foundIndex, judgments } = await ReferralReader.scanSigned(strings, { appID, signers });
  return found?.referrer ?? judgments[foundIndex ?? 0].reason;
};

const code: QRCodeSymbol = QRCode.encode(link, { level: 'Q' });
const isDark: boolean = code.modules[0][0];
// @ts-expect-error A code's rows are frozen.
code.modules[0][0] = false;
// @ts-expect-error There are four levels.
QRCode.svg(link, { level: 'X' });
const { d, size }: { d: string; size: number } = QRCode.path(code, { margin: 4 });
const drawing: string = QRCode.svg(link, { level: 'M', margin: 4, version: 40, mask: 7 });
