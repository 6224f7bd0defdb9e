import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DropChannel, HandOverChannel, type StudioChannelPartsFragment } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** Makes someone else the owner, after a question. */
export function TransferChannel({ channel }: { channel: StudioChannelPartsFragment }) {
  const [open, setOpen] = useState(false);
  const [username, setUsername] = useState('');
  const navigate = useNavigate();
  const transfer = async (): Promise<void> => {
    await api(HandOverChannel, { channel: channel.id, username: username.trim().replace(/^@/, '') });
    await navigate({ to: '/studio/channel', reloadDocument: true });
  };
  return (
    <Panel title="Transfer ownership" hint="Make someone else the owner of this channel. You remain a manager.">
      <Button onClick={() => setOpen(true)}>Transfer…</Button>
      <Confirm
        open={open}
        title={`Transfer ${channel.metadata.title}?`}
        yes="Transfer"
        look="primary"
        ready={username.trim() !== ''}
        onYes={transfer}
        onClose={() => setOpen(false)}
      >
        <TextField
          label="New owner’s username"
          value={username}
          autoComplete="off"
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <p>The channel then counts toward the new owner’s plan. Only they can transfer it back.</p>
      </Confirm>
    </Panel>
  );
}

/** Deletes the channel, after its handle was typed. */
export function DeleteChannel({ channel }: { channel: StudioChannelPartsFragment }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await api(DropChannel, { id: channel.id });
    await navigate({ to: '/studio', search: {}, reloadDocument: true });
  };
  return (
    <Panel title="Delete channel" hint="Permanently deletes the channel with all its videos, files and playlists.">
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <Confirm
        open={open}
        title={`Delete ${channel.metadata.title}?`}
        yes="Delete permanently"
        ready={typed.trim() === channel.handle}
        onYes={remove}
        onClose={() => setOpen(false)}
      >
        <p>This cannot be undone. Nothing is moved to the trash.</p>
        <TextField
          label={`Type ${channel.handle} to confirm`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Confirm>
    </Panel>
  );
}
