import { useState } from 'react';
import type {
  InstanceFieldsFragment,
  PlanQuotasInput,
  QuotaFieldsFragment,
  QuotaPlan,
} from '../../../gql/generated/operations.gen.ts';
import { textOf } from '../../../lib/hooks/use-form.ts';
import { formatLocale, t } from '../../../lib/i18n.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SettingsForm } from './settings-form.tsx';

type QuotaName = keyof QuotaFieldsFragment;

const PLANS: Readonly<Record<QuotaPlan, string>> = {
  FREE: t`Free`,
  PREMIUM: t`Premium`,
  PREMIUM_PLUS: 'Premium+',
  CREATOR_PLUS: 'Creator+',
  TRIAL: t`Trials`,
};

const GIB = 1024 ** 3;
const QUOTAS: readonly { readonly name: QuotaName; readonly label: string; readonly unit: number }[] = [
  { name: 'storageBytes', label: t`Storage in GiB`, unit: GIB },
  { name: 'derivedBytes', label: t`Generated streams and downloads in GiB`, unit: GIB },
  { name: 'maxUploadBytes', label: t`Largest file in GiB`, unit: GIB },
  { name: 'uploadMinutes', label: t`Minutes of video per month`, unit: 1 },
  { name: 'generationCredits', label: t`Credits for enhancements per month`, unit: 1 },
  { name: 'maxChannels', label: t`Channels`, unit: 1 },
  { name: 'maxLiveInputs', label: t`Live inputs`, unit: 1 },
  { name: 'maxBroadcasts', label: t`Broadcasts at the same time`, unit: 1 },
  { name: 'broadcastMinutes', label: t`Minutes of broadcasts per month`, unit: 1 },
  { name: 'maxBroadcastBitrateBps', label: t`Bit rate of broadcasts in Mbit/s`, unit: 1_000_000 },
];

/** The quotas of each plan; an empty field is the default. */
export function QuotaSettings({ instance }: { instance: InstanceFieldsFragment }) {
  const { planQuotas } = instance;
  const [plan, setPlan] = useState<QuotaPlan>('FREE');
  const found = planQuotas.find((each) => each.plan === plan);
  return (
    <SettingsForm
      title={t`Quotas of plans`}
      hint={
        plan === 'TRIAL'
          ? t`They apply to uploads and orders from now on; what is stored stays. Leave a field empty for the default.
              Where the Free plan allows more, trials do, too.`
          : t`They apply to uploads and orders from now on; what is stored stays.
              Leave a field empty for the default.`
      }
      key={plan}
      instance={instance}
      labels={{ planQuotas: t`Quotas of plans` }}
      of={(stored) => ({ planQuotas: [storedQuotas(plan, stored)] })}
      words={(_, value) => wordsOf(value as readonly PlanQuotasInput[])} // of planQuotas
      read={(data) => ({ planQuotas: [readQuotas(plan, data)] })}
    >
      {(errorOf) => (
        <>
          <SelectField label={t`Plan`} value={plan} onChange={(event) => setPlan(event.target.value as QuotaPlan)}>
            {Object.entries(PLANS).map(([code, label]) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </SelectField>
          {found && (
            <div key={plan} className="grid gap-4 sm:grid-cols-2">
              {QUOTAS.map(({ name, label, unit }) => {
                const [current, usual] = [found.current[name], found.defaults[name]];
                const standard = (usual / unit).toLocaleString(formatLocale);
                return (
                  <TextField
                    key={name}
                    label={label}
                    name={name}
                    type="number"
                    min={0}
                    step={unit === 1 ? 1 : 'any'}
                    defaultValue={current === usual ? '' : current / unit}
                    placeholder={`${usual / unit}`}
                    hint={t`Default: ${standard}`}
                    error={errorOf(name)}
                  />
                );
              })}
            </div>
          )}
        </>
      )}
    </SettingsForm>
  );
}

function readQuotas(plan: QuotaPlan, data: FormData): PlanQuotasInput {
  const values = QUOTAS.map(({ name, unit }) => {
    const text = textOf(data, name);
    return [name, text === '' ? null : Math.round(Number(text) * unit)] as const;
  });
  return { plan, ...Object.fromEntries(values) };
}

/** The stored quotas as the fields say them: null for the default. */
function storedQuotas(plan: QuotaPlan, { planQuotas }: InstanceFieldsFragment): PlanQuotasInput {
  const found = planQuotas.find((each) => each.plan === plan);
  const values = QUOTAS.map(({ name }) => {
    const current = found?.current[name];
    return [name, current === undefined || current === found?.defaults[name] ? null : current] as const;
  });
  return { plan, ...Object.fromEntries(values) };
}

function wordsOf([quotas]: readonly PlanQuotasInput[]): string {
  const lines = QUOTAS.flatMap(({ name, label, unit }) => {
    const value = quotas?.[name];
    return value == null ? [] : [`${label}: ${(value / unit).toLocaleString(formatLocale)}`];
  });
  return lines.join('\n') || t`Default`;
}
