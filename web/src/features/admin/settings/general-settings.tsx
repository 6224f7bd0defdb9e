import type { InstanceFieldsFragment, SignUpPolicy } from '../../../gql/generated/operations.gen.ts';
import { textOf } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SettingsForm } from './settings-form.tsx';

const POLICIES: Readonly<Record<SignUpPolicy, string>> = {
  OPEN: t`Everyone`,
  INVITE: t`People with an invitation`,
  CLOSED: t`Nobody`,
};

/** The name of the server, and who may sign up. */
export function GeneralSettings({ instance }: { instance: InstanceFieldsFragment }) {
  const { name, signUp } = instance;
  return (
    <SettingsForm
      title={t`General`}
      instance={instance}
      labels={{ name: t`Name`, signUp: t`Who can sign up` }}
      of={(stored) => ({ name: stored.name, signUp: stored.signUp })}
      words={(field, value) => (field === 'signUp' ? POLICIES[value as SignUpPolicy] : String(value))} // as above
      read={(data) => ({
        name: textOf(data, 'name'),
        signUp: textOf(data, 'signUp') as SignUpPolicy, // the options of the list
      })}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t`Name`}
            name="name"
            defaultValue={name}
            maxLength={40}
            hint={t`In titles of pages, in previews of links and as the sender of mail.`}
            error={errorOf('name')}
          />
          <SelectField label={t`Who can sign up`} name="signUp" defaultValue={signUp} error={errorOf('signUp')}>
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
