import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  DeleteChannel,
  type StudioChannelPartsFragment,
  TransferChannel,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** Transfers the channel to another account, after confirmation. */
export function TransferOwnershipPanel({ channel }: { channel: StudioChannelPartsFragment }) {
  const [open, setOpen] = useState(false);
  const [username, setUsername] = useState('');
  const navigate = useNavigate();
  const transfer = async (): Promise<void> => {
    await api(TransferChannel, { channel: channel.id, username: username.trim().replace(/^@/, '') });
    await navigate({ to: '/studio/channel', reloadDocument: true });
  };
  return (
    <Panel title={t`Transfer ownership`} hint={t`Make another member the owner of this channel. You remain a manager.`}>
      <Button onClick={() => setOpen(true)}>{t`Transfer…`}</Button>
      <Confirm
        open={open}
        title={t`Transfer ${channel.metadata.title}?`}
        confirmLabel={t`Transfer`}
        look="primary"
        ready={username.trim() !== ''}
        onConfirm={transfer}
        onClose={() => setOpen(false)}
      >
        <TextField
          label={t`New owner’s username`}
          value={username}
          autoComplete="off"
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <p>{t`The channel then counts toward the new owner’s plan. Only they can transfer it back.`}</p>
      </Confirm>
    </Panel>
  );
}

/** Deletes the channel, after its handle is typed. */
export function DeleteChannelPanel({ channel }: { channel: StudioChannelPartsFragment }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await api(DeleteChannel, { id: channel.id });
    await navigate({ to: '/studio', search: {}, reloadDocument: true });
  };
  return (
    <Panel
      title={t`Delete channel`}
      hint={t`Permanently deletes the channel with all its videos, files and playlists.`}
    >
      <Button look="danger" onClick={() => setOpen(true)}>{t`Delete…`}</Button>
      <Confirm
        open={open}
        title={t`Delete ${channel.metadata.title}?`}
        confirmLabel={t`Delete permanently`}
        ready={typed.trim() === channel.handle}
        onConfirm={remove}
        onClose={() => setOpen(false)}
      >
        <p>{t`This cannot be undone. Nothing is moved to the trash.`}</p>
        <TextField
          label={t`Type ${channel.handle} to confirm`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Confirm>
    </Panel>
  );
}
