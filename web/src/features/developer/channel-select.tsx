import { useNavigate } from '@tanstack/react-router';
import type { DeveloperChannelsResult } from '../../gql/generated/operations.gen.ts';
import { channelPath } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { SelectField } from '../../ui/field.tsx';

/** A channel that the account is a member of. */
export type DeveloperChannel = DeveloperChannelsResult['me']['channels']['edges'][number]['node'];

interface Properties {
  readonly to: '/settings/developer/webhooks' | '/settings/developer/events';
  readonly memberships: readonly DeveloperChannel[];
  readonly channel: string;
}

/** A select for the channel of a page, for members of several. */
export function ChannelSelect({ to, memberships, channel }: Properties) {
  const navigate = useNavigate();
  if (memberships.length < 2) return null;
  return (
    <div className="max-w-sm">
      <SelectField
        label={t`Channel`}
        value={channel}
        onChange={(event) => void navigate({ to, search: { channel: channelPath(event.currentTarget.value) } })}
      >
        {memberships.map(({ channel: { id, metadata } }) => (
          <option key={id} value={id}>
            {metadata.title}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
