import { type FormEvent, useState } from 'react';
import { type ChatMode, SendChatMessage } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';
import { plural, t } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** Characters of a message, as the API allows. */
const MAX_LENGTH = 500;

interface Properties {
  readonly streamId: string;
  readonly mode: ChatMode;
  readonly slowModeMs: number;
}

/** The form to write in a chat. What the server refuses keeps the text, with the reason. */
export function ChatForm({ streamId, mode, slowModeMs }: Properties) {
  const user = useUser();
  const whenSignedIn = useSignedIn();
  const action = useAction();
  const [body, setBody] = useState('');
  const [isHeld, setHeld] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!body.trim() || action.busy) return;
    action.run('send', async () => {
      const { createChatMessage } = await api(SendChatMessage, { stream: streamId, body: body.trim() });
      setHeld(createChatMessage.chatMessage.status === 'HELD');
      setBody('');
    });
  };
  if (mode === 'NOBODY') return <p className="text-muted">{t`The chat is paused.`}</p>;
  if (user === null) return <Button onClick={() => whenSignedIn(() => undefined)}>{t`Sign in to chat`}</Button>;
  const notes = [
    mode === 'FOLLOWERS' && t`Followers only`,
    mode === 'MEMBERS' && t`Members of the channel only`,
    slowModeMs > 0 && slowModeText(slowModeMs),
  ].filter((note) => note !== false);
  return (
    <form className="space-y-2" onSubmit={submit}>
      <div className="flex gap-2">
        <input
          aria-label={t`Message`}
          dir="auto"
          autoComplete="off"
          enterKeyHint="send"
          maxLength={MAX_LENGTH}
          placeholder={t`Say something…`}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          className="w-full min-w-0 rounded-lg border border-line-strong bg-ink px-3 py-2 placeholder:text-muted"
        />
        <Button look="primary" type="submit" busy={action.busy !== null} disabled={!body.trim()}>{t`Send`}</Button>
      </div>
      {notes.length > 0 && <p className="text-sm text-muted">{notes.join(' · ')}</p>}
      <p role="status" className="text-sm text-muted empty:hidden">
        {isHeld && t`Your message is shown once a moderator approves it.`}
      </p>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </form>
  );
}

function slowModeText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return plural(seconds, { one: 'Slow mode: a message every second', other: 'Slow mode: a message every # seconds' });
}
