import { useState } from 'react';
import type { InstanceFieldsFragment, UpdateInstanceInput } from '../../../gql/generated/operations.gen.ts';
import { calendarDate } from '../../../lib/format.ts';
import { textOf } from '../../../lib/hooks/use-form.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { SettingsForm } from './settings-form.tsx';

type Place = 'none' | 'url' | 'text';
type Kind = 'terms' | 'privacy';

const LABELS = {
  terms: {
    ...{ urlName: 'termsUrl', textName: 'termsText', path: '/terms', example: 'https://example.com/terms' },
    label: t`Terms of service`,
    address: t`Address of the terms of service`,
    body: t`Text of the terms of service`,
  },
  privacy: {
    ...{ urlName: 'privacyUrl', textName: 'privacyText', path: '/privacy', example: 'https://example.com/privacy' },
    label: t`Privacy policy`,
    address: t`Address of the privacy policy`,
    body: t`Text of the privacy policy`,
  },
} as const;

const PLACES: Readonly<Record<Place, string>> = {
  none: t`None`,
  url: t`A page at another address`,
  text: t`A text on this server`,
};

/** Terms of service and privacy policy. */
export function LegalSettings({ instance }: { instance: InstanceFieldsFragment }) {
  const { termsUrl, termsText, privacyUrl, privacyText } = instance;
  return (
    <SettingsForm
      title={t`Terms and privacy`}
      hint={t`Linked at the bottom of all pages and where accounts are created.`}
      instance={instance}
      labels={{
        ...{ termsUrl: LABELS.terms.address, termsText: LABELS.terms.body },
        ...{ privacyUrl: LABELS.privacy.address, privacyText: LABELS.privacy.body },
      }}
      of={(stored) => ({
        ...{ termsUrl: stored.termsText ? null : stored.termsUrl, termsText: stored.termsText?.markdown ?? null },
        privacyUrl: stored.privacyText ? null : stored.privacyUrl,
        privacyText: stored.privacyText?.markdown ?? null,
      })}
      words={(_, value) => (value === null ? PLACES.none : String(value))}
      read={(data) => ({ ...readLegal('terms', data), ...readLegal('privacy', data) })}
    >
      {(errorOf) => (
        <>
          <LegalFields kind="terms" url={termsUrl} text={termsText} errorOf={errorOf} />
          <LegalFields kind="privacy" url={privacyUrl} text={privacyText} errorOf={errorOf} />
        </>
      )}
    </SettingsForm>
  );
}

function readLegal(kind: Kind, data: FormData): UpdateInstanceInput {
  const { urlName, textName } = LABELS[kind];
  return { [urlName]: textOf(data, urlName) || null, [textName]: textOf(data, textName) || null };
}

interface FieldsProperties {
  readonly kind: Kind;
  readonly url: string | null;
  readonly text: InstanceFieldsFragment['termsText'];
  readonly errorOf: (field: string) => string | null;
}

function LegalFields({ kind, url, text, errorOf }: FieldsProperties) {
  const { label, address, body, urlName, textName, path, example } = LABELS[kind];
  const [place, setPlace] = useState<Place>(text ? 'text' : url ? 'url' : 'none');
  return (
    <fieldset className="space-y-4">
      <legend className="sr-only">{label}</legend>
      <SelectField
        label={label}
        value={place}
        onChange={(event) => setPlace(event.target.value as Place)} // the options of the list
      >
        {Object.entries(PLACES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      {place === 'url' && (
        <TextField
          label={address}
          name={urlName}
          type="url"
          required
          defaultValue={text ? '' : (url ?? '')}
          placeholder={example}
          error={errorOf(urlName)}
        />
      )}
      {place === 'text' && (
        <TextArea
          label={body}
          name={textName}
          look="code"
          rows={12}
          required
          maxLength={100_000}
          defaultValue={text?.markdown ?? ''}
          hint={
            text ? (
              <LastChange path={path} day={calendarDate(text.changedAt)} />
            ) : (
              t`Markdown, shown at ${path} with the date of its last change.`
            )
          }
          error={errorOf(textName)}
        />
      )}
    </fieldset>
  );
}

function LastChange({ path, day }: { path: string; day: string }) {
  return (
    <Trans>
      Markdown. Last changed on {day};{' '}
      <a href={path} target="_blank" rel="noreferrer" className="underline underline-offset-3">
        see the page
      </a>
      .
    </Trans>
  );
}
