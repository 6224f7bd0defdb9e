import { type CommandContext, type PresentValues, type RevisionInput, requireRevision } from '../../../gql/index.ts';
import { readAccentColor } from '../../../kernel/accent-color.ts';
import { AppError } from '../../../kernel/errors.ts';
import { FEATURE_NAMES, type FeatureName } from '../../../kernel/features.ts';
import { sentences, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { readText } from '../../../kernel/text.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { lockInstance, type StoredInstance, writeInstance } from '../../../platform/instance/instance-settings.ts';
import { noteOperatorAction } from '../../accounts/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { describeChanges } from './describe-settings.ts';
import { type LegalInput, readLegalTexts, readTexts, type Texts, writeTexts } from './legal-texts.ts';
import { changeLogo, renderedLogo } from './logo.ts';
import { changeQuotas, type PlanQuotasInput } from './plan-quotas.ts';

/** Longest name of a server, in Unicode code points. */
export const MAX_NAME = 40;
const MAX_URL = 2_000;

/** Changes of the settings: an omitted field keeps its value, null restores the default. */
export interface InstanceInput extends LegalInput, RevisionInput {
  readonly name?: Maybe<string>;
  readonly signUp?: Maybe<'OPEN' | 'INVITE' | 'CLOSED'>;
  readonly featuresOff?: Maybe<readonly FeatureName[]>;
  readonly accentColor?: Maybe<string>;
  /** The file in base64. */
  readonly logo?: Maybe<string>;
  readonly planQuotas?: Maybe<readonly PlanQuotasInput[]>;
}

/**
 * Changes the settings of the server, notifies all processes, and notes what changed in the audit log. Idempotent.
 * @throws AppError INVALID_INPUT with the field, and CONFLICT.
 */
export async function updateInstance(context: CommandContext, input: InstanceInput): Promise<void> {
  const { accountId: operatorId } = requireAccount(context);
  const { nowMs, nowIso } = context;
  const [checked, texts] = [checkInput(input), readTexts(input)];
  const logo = input.logo == null ? input.logo : await renderedLogo(context.services.operations, input.logo);
  await context.services.operations.db.transaction(async (tx) => {
    const before = await lockInstance(tx);
    requireRevision(input, await presentSettings(tx, before), {}, sentSettings(checked, texts), context);
    const planQuotas = changeQuotas(before.planQuotas, input.planQuotas ?? []);
    const after = {
      ...{ ...before, ...checked, planQuotas },
      ...(texts.terms ? { termsUrl: null } : {}),
      ...(texts.privacy ? { privacyUrl: null } : {}),
    };
    const changes = [
      ...describeChanges(before, after),
      ...(await writeTexts(tx, texts, nowIso)),
      ...(await changeLogo(tx, logo, nowIso)),
    ];
    if (changes.length === 0) return;
    await writeInstance(tx, after, nowIso);
    const details = sentences(...changes);
    await noteOperatorAction(tx, { operatorId, kind: 'SETTINGS_CHANGED', to: { name: 'Server' }, details, nowMs });
  });
}

/** The settings of which it is told what they are now, with their revision; as the API shows them. */
async function presentSettings(tx: Executor, stored: StoredInstance): Promise<PresentValues> {
  const { revision, name, signUp, termsUrl, privacyUrl, featuresOff, accentColor } = stored;
  const { terms, privacy } = await readLegalTexts(tx);
  return {
    ...{ revision, name, signUp: signUp?.toUpperCase() ?? null, termsUrl, privacyUrl, featuresOff, accentColor },
    ...{ termsText: terms?.markdown ?? null, privacyText: privacy?.markdown ?? null },
  };
}

function sentSettings(
  { signUp, ...rest }: Partial<StoredInstance>,
  { terms, privacy }: Texts,
): Record<string, unknown> {
  return {
    ...{ ...rest, signUp: signUp?.toUpperCase() },
    ...{ termsText: terms, privacyText: privacy },
  };
}

function checkInput({
  name,
  signUp,
  termsUrl,
  privacyUrl,
  featuresOff,
  accentColor,
}: InstanceInput): Partial<StoredInstance> {
  return {
    ...(name === undefined ? {} : { name: name === null ? null : checkName(name) }),
    ...(signUp === undefined ? {} : { signUp: signUp === null ? null : SIGN_UP[signUp] }),
    ...(termsUrl === undefined ? {} : { termsUrl: checkUrl(termsUrl, 'input.termsUrl') }),
    ...(privacyUrl === undefined ? {} : { privacyUrl: checkUrl(privacyUrl, 'input.privacyUrl') }),
    ...(accentColor === undefined ? {} : { accentColor: checkAccent(accentColor) }),
    ...(featuresOff === undefined ? {} : { featuresOff: FEATURE_NAMES.filter((name) => featuresOff?.includes(name)) }),
  };
}

const SIGN_UP = { OPEN: 'open', INVITE: 'invite', CLOSED: 'closed' } as const;

/** Null for an empty name: the default. A name is in the sender of messages, where these characters mean something. */
function checkName(text: string): string | null {
  const name = readText(text, { field: 'input.name', maxLength: MAX_NAME });
  if (!/[<>"]/.test(name)) return name === '' ? null : name;
  throw new AppError('INVALID_INPUT', t`A name has no quotation marks and no angle brackets.`, {
    field: 'input.name',
    suggestedFix: t`Leave these characters out.`,
  });
}

/** Null for an empty color: ours. */
function checkAccent(value: string | null): string | null {
  return value === null || value.trim() === '' ? null : readAccentColor(value, 'input.accentColor');
}

/** Null for an empty address. Only https, because it is a link on every page. */
function checkUrl(text: string | null, field: string): string | null {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return null;
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '' && url.href.length <= MAX_URL)
    return url.href;
  throw new AppError('INVALID_INPUT', t`This is not an https address of at most ${MAX_URL} characters.`, {
    field,
    suggestedFix: t`Enter the address of a page, as https://example.com/terms.`,
  });
}
