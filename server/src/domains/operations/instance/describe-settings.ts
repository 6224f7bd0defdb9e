import type { FeatureName } from '../../../kernel/features.ts';
import type { Value } from '../../../kernel/languages/format-message.ts';
import { allOf, grouped, type Message, phrase, plural, t } from '../../../kernel/languages/message.ts';
import { type ChangedQuotas, PLANS, QUOTA_NAMES, QUOTA_PLANS, type QuotaName } from '../../../kernel/plans.ts';
import type { StoredInstance } from '../../../platform/instance/instance-settings.ts';
import type { LegalKind } from './legal-texts.store.ts';

/** What changed in the settings of the server, in words, for the audit log. */

const DEFAULT = phrase`default`;

const SIGN_UP = { open: phrase`anyone`, invite: phrase`people with an invitation`, closed: phrase`nobody` } as const;

const FEATURES: Readonly<Record<FeatureName, Message>> = {
  COMMENTS: phrase`comments`,
  CHANNELS: phrase`additional channels`,
  YOUTUBE: phrase`YouTube`,
  DATA_EXPORTS: phrase`data exports`,
  DOWNLOADS: phrase`downloads by viewers`,
  AUTOMATIC_CAPTIONS: phrase`captions from speech`,
  ENHANCEMENT: phrase`upscaling and upmixing`,
};

const QUOTAS: Readonly<Record<QuotaName, (plan: Value) => Message>> = {
  maxUploadBytes: (plan) => phrase`Largest file (${plan})`,
  storageBytes: (plan) => phrase`Storage (${plan})`,
  derivedBytes: (plan) => phrase`Generated streams and downloads (${plan})`,
  uploadMinutes: (plan) => phrase`Minutes of video per month (${plan})`,
  generationCredits: (plan) => phrase`Credits for enhancements per month (${plan})`,
  maxChannels: (plan) => phrase`Channels (${plan})`,
  maxLiveInputs: (plan) => phrase`Live inputs (${plan})`,
  maxBroadcasts: (plan) => phrase`Broadcasts at the same time (${plan})`,
  broadcastMinutes: (plan) => phrase`Minutes of broadcasts per month (${plan})`,
  maxBroadcastBitrateBps: (plan) => phrase`Bit rate of broadcasts (${plan})`,
};

/** The settings that differ. Pure. */
export function describeChanges(before: StoredInstance, after: StoredInstance): Message[] {
  const texts = Object.keys(TEXTS) as (keyof typeof TEXTS)[]; // the keys of the table
  return [
    ...texts.flatMap((key) => (String(before[key]) === String(after[key]) ? [] : [TEXTS[key](after)])),
    ...describeQuotas(before.planQuotas, after.planQuotas),
  ];
}

const TEXTS = {
  name: ({ name }) => change(phrase`Name`, name),
  signUp: ({ signUp }) => change(phrase`Who can sign up`, signUp && SIGN_UP[signUp]),
  termsUrl: ({ termsUrl }) => change(phrase`Address of the terms of service`, termsUrl),
  privacyUrl: ({ privacyUrl }) => change(phrase`Address of the privacy policy`, privacyUrl),
  featuresOff: ({ featuresOff }) =>
    change(
      phrase`Switched off`,
      featuresOff.length === 0 ? phrase`nothing` : allOf(featuresOff.map((name) => FEATURES[name])),
    ),
  accentColor: ({ accentColor }) => change(phrase`Accent color`, accentColor),
} satisfies Partial<Record<keyof StoredInstance, (after: StoredInstance) => Message>>;

/** A text that was stored; null: removed. */
export function describeText(kind: LegalKind, characters: number | null): Message {
  return change(
    kind === 'terms' ? phrase`Terms of service` : phrase`Privacy policy`,
    characters === null ? null : phrase`${plural(characters, { one: '# character', other: '# characters' })}`,
  );
}

/** A logo that was stored; null: removed. */
export function describeLogo(logo: { readonly width: number; readonly height: number } | null): Message {
  return change(phrase`Logo`, logo && phrase`${logo.width} by ${logo.height} pixels`);
}

function describeQuotas(before: ChangedQuotas, after: ChangedQuotas): Message[] {
  return QUOTA_PLANS.flatMap((plan) =>
    QUOTA_NAMES.flatMap((quota) => {
      const [old, value] = [before[plan]?.[quota], after[plan]?.[quota]];
      if (old === value) return [];
      const label = QUOTAS[quota](plan === 'TRIAL' ? phrase`trials` : PLANS[plan].name);
      return [change(label, value === undefined ? null : amountOf(quota, value))];
    }),
  );
}

const change = (label: Message, value: Value | null): Message => t`${label}: ${value || DEFAULT}.`;

function amountOf(quota: QuotaName, value: number): Message | Value {
  if (quota.endsWith('Bytes')) return sizeOf(value);
  return quota.endsWith('Bps') ? phrase`${value / 1e6} Mbit/s` : grouped(value);
}

function sizeOf(bytes: number): Message {
  const gib = bytes / 1024 ** 3;
  const mib = bytes / 1024 ** 2;
  if (gib >= 1) return phrase`${grouped(gib, Number.isInteger(gib) ? 0 : 2)} GiB`;
  return mib >= 1
    ? phrase`${grouped(mib, Number.isInteger(mib) ? 0 : 2)} MiB`
    : phrase`${plural(bytes, { one: '# byte', other: '# bytes' })}`;
}
