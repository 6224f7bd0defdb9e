import type { InstanceFieldsFragment, ServerFeature } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { SettingsForm } from './settings-form.tsx';

const FEATURES: readonly (readonly [ServerFeature, string])[] = [
  ['COMMENTS', t`Comments`],
  ['CHANNELS', t`Additional channels`],
  ['YOUTUBE', t`Imports from YouTube and publishing there`],
  ['DATA_EXPORTS', t`Bulk exports of data`],
  ['DOWNLOADS', t`Downloads by viewers`],
  ['AUTOMATIC_CAPTIONS', t`Captions from speech, and translations`],
  ['ENHANCEMENT', t`Upscaling and upmixing`],
];

/** What is switched on. */
export function FeatureSettings({ instance }: { instance: InstanceFieldsFragment }) {
  const { featuresOff } = instance;
  return (
    <SettingsForm
      title={t`Features`}
      hint={t`What exists stays when a feature is switched off.`}
      instance={instance}
      labels={{ featuresOff: t`Switched off` }}
      of={(stored) => ({ featuresOff: inOrder(stored.featuresOff) })}
      words={(_, value) => wordsOf(value as readonly ServerFeature[])} // of featuresOff
      read={(data) => ({
        featuresOff: FEATURES.flatMap(([feature]) => (data.get(feature) === null ? [feature] : [])),
      })}
    >
      {() => (
        <fieldset className="space-y-1">
          <legend className="sr-only">{t`Features`}</legend>
          {FEATURES.map(([feature, label]) => (
            <label key={feature} className="flex min-h-9 items-center gap-3">
              <input
                type="checkbox"
                name={feature}
                defaultChecked={!featuresOff.includes(feature)}
                className="size-4.5 shrink-0 accent-accent"
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </SettingsForm>
  );
}

/** As the boxes are. */
function inOrder(off: readonly ServerFeature[]): ServerFeature[] {
  return FEATURES.flatMap(([feature]) => (off.includes(feature) ? [feature] : []));
}

function wordsOf(off: readonly ServerFeature[]): string {
  return FEATURES.flatMap(([feature, label]) => (off.includes(feature) ? [label] : [])).join(', ');
}
