import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { type ServerFeature, type SignUpPolicy, UpdateInstance } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { siteName } from '../../lib/site.ts';
import { textOf, useForm } from '../../lib/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

const route = getRouteApi('/admin/settings');

const FEATURES: readonly (readonly [ServerFeature, string])[] = [
  ['COMMENTS', 'Comments'],
  ['CHANNELS', 'Additional channels'],
  ['YOUTUBE', 'Imports from YouTube and publishing there'],
  ['DATA_EXPORTS', 'Bulk exports of data'],
  ['DOWNLOADS', 'Downloads by viewers'],
  ['AUTOMATIC_CAPTIONS', 'Captions from speech, and translations'],
  ['ENHANCEMENT', 'Upscaling and upmixing'],
];

const POLICIES: Readonly<Record<SignUpPolicy, string>> = {
  OPEN: 'Everyone',
  INVITE: 'People with an invitation',
  CLOSED: 'Nobody',
};

/** Settings of the server, which pages show after they are loaded again. */
export function AdminSettingsPage() {
  const { name, signUp, termsUrl, privacyUrl, featuresOff } = route.useLoaderData().instance;
  const [isSaved, setSaved] = useState(false);
  const form = useForm(async (data) => {
    setSaved(false);
    const input = {
      name: textOf(data, 'name'),
      signUp: textOf(data, 'signUp') as SignUpPolicy, // the options of the list
      termsUrl: textOf(data, 'termsUrl') || null,
      privacyUrl: textOf(data, 'privacyUrl') || null,
      featuresOff: FEATURES.flatMap(([feature]) => (data.get(feature) === null ? [feature] : [])),
    };
    await api(UpdateInstance, { input });
    setSaved(true);
  });
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`Settings · Admin · ${siteName()}`}</title>
      <AdminHeader />
      <Panel title="Server">
        <form
          onSubmit={form.onSubmit}
          onChange={() => {
            setSaved(false);
            form.onChange();
          }}
          className="max-w-xl space-y-4"
        >
          {form.error !== null && <ErrorNotice error={form.error} />}
          <TextField
            label="Name"
            name="name"
            defaultValue={name}
            maxLength={40}
            hint="In titles of pages, in previews of links and as the sender of mail."
            error={form.fieldError('name')}
          />
          <SelectField label="Who can sign up" name="signUp" defaultValue={signUp} error={form.fieldError('signUp')}>
            {Object.entries(POLICIES).map(([policy, label]) => (
              <option key={policy} value={policy}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Terms of service (optional)"
            name="termsUrl"
            type="url"
            defaultValue={termsUrl ?? ''}
            placeholder="https://example.com/terms"
            hint="Linked at the bottom of all pages and where accounts are created."
            error={form.fieldError('termsUrl')}
          />
          <TextField
            label="Privacy policy (optional)"
            name="privacyUrl"
            type="url"
            defaultValue={privacyUrl ?? ''}
            placeholder="https://example.com/privacy"
            error={form.fieldError('privacyUrl')}
          />
          <fieldset className="space-y-1">
            <legend className="mb-1 text-sm font-semibold">Features</legend>
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
            <p className="text-sm text-muted">What exists stays when a feature is switched off.</p>
          </fieldset>
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" look="primary" busy={form.busy}>
              Save
            </Button>
            <p role="status" className="text-muted">
              {isSaved && 'Saved. Pages show it when they are loaded again.'}
            </p>
          </div>
        </form>
      </Panel>
    </div>
  );
}
