import type { InstanceFieldsFragment, SignUpPolicy } from '../../../gql/generated/operations.gen.ts';
import { textOf } from '../../../lib/use-form.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SettingsForm } from './settings-form.tsx';

const POLICIES: Readonly<Record<SignUpPolicy, string>> = {
  OPEN: 'Everyone',
  INVITE: 'People with an invitation',
  CLOSED: 'Nobody',
};

/** The name of the server, and who may sign up. */
export function GeneralSettings({ instance: { name, signUp } }: { instance: InstanceFieldsFragment }) {
  return (
    <SettingsForm
      title="General"
      read={(data) => ({
        name: textOf(data, 'name'),
        signUp: textOf(data, 'signUp') as SignUpPolicy, // the options of the list
      })}
    >
      {(errorOf) => (
        <>
          <TextField
            label="Name"
            name="name"
            defaultValue={name}
            maxLength={40}
            hint="In titles of pages, in previews of links and as the sender of mail."
            error={errorOf('name')}
          />
          <SelectField label="Who can sign up" name="signUp" defaultValue={signUp} error={errorOf('signUp')}>
            {Object.entries(POLICIES).map(([policy, label]) => (
              <option key={policy} value={policy}>
                {label}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </SettingsForm>
  );
}
