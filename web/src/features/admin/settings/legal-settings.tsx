import type { InstanceFieldsFragment } from '../../../gql/generated/operations.gen.ts';
import { textOf } from '../../../lib/use-form.ts';
import { TextField } from '../../../ui/field.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Terms of service and privacy policy. */
export function LegalSettings({ instance: { termsUrl, privacyUrl } }: { instance: InstanceFieldsFragment }) {
  return (
    <SettingsForm
      title="Terms and privacy"
      hint="Linked at the bottom of all pages and where accounts are created."
      read={(data) => ({
        termsUrl: textOf(data, 'termsUrl') || null,
        privacyUrl: textOf(data, 'privacyUrl') || null,
      })}
    >
      {(errorOf) => (
        <>
          <TextField
            label="Terms of service (optional)"
            name="termsUrl"
            type="url"
            defaultValue={termsUrl ?? ''}
            placeholder="https://example.com/terms"
            error={errorOf('termsUrl')}
          />
          <TextField
            label="Privacy policy (optional)"
            name="privacyUrl"
            type="url"
            defaultValue={privacyUrl ?? ''}
            placeholder="https://example.com/privacy"
            error={errorOf('privacyUrl')}
          />
        </>
      )}
    </SettingsForm>
  );
}
