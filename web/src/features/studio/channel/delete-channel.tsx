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
    <Panel title="Hand over" hint="Make someone else the owner of this channel. You stay as a manager.">
      <Button onClick={() => setOpen(true)}>Hand over…</Button>
      <Confirm
        open={open}
        title={`Hand over ${channel.metadata.title}?`}
        yes="Hand over"
        look="primary"
        ready={username.trim() !== ''}
        onYes={transfer}
        onClose={() => setOpen(false)}
      >
        <TextField
          label="Username of the new owner"
          value={username}
          autoComplete="off"
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <p>The channel, its storage and its limits become theirs. Only they can give it back.</p>
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
    <Panel title="Delete the channel" hint="All its videos, files, playlists and people go with it, at once and for good.">
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <Confirm
        open={open}
        title={`Delete ${channel.metadata.title}?`}
        yes="Delete for good"
        no="Keep it"
        ready={typed.trim() === channel.handle}
        onYes={remove}
        onClose={() => setOpen(false)}
      >
        <p>There is no way back and nothing goes to the trash.</p>
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
