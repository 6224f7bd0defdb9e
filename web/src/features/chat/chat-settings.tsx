import { type ChatMode, UpdateChat } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { plural, t } from '../../lib/i18n.ts';
import { SelectField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { CHAT_MODES } from './chat-choices.ts';

interface Properties {
  readonly streamId: string;
  readonly mode: ChatMode;
  readonly slowModeMs: number;
}

const SLOW_SECONDS = [0, 5, 10, 30, 60, 300];

/** Who may write in a chat, and how fast. A choice is stored at once; readers of the chat see it. */
export function ChatSettings({ streamId, mode, slowModeMs }: Properties) {
  const action = useAction();
  const change = (input: { mode: ChatMode } | { slowModeMs: number }): void =>
    action.run('change', async () => void (await api(UpdateChat, { id: streamId, input })));
  const slow = Math.round(slowModeMs / 1_000);
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label={t`Who can write`}
        value={mode}
        disabled={action.busy !== null}
        onChange={(event) => change({ mode: event.currentTarget.value as ChatMode })} // of the options
      >
        {Object.entries(CHAT_MODES).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Slow mode`}
        value={String(slow)}
        disabled={action.busy !== null}
        onChange={(event) => change({ slowModeMs: 1_000 * Number(event.currentTarget.value) })}
      >
        {[...new Set([...SLOW_SECONDS, slow])]
          .toSorted((a, b) => a - b)
          .map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? t`Off` : plural(seconds, { one: '# second', other: '# seconds' })}
            </option>
          ))}
      </SelectField>
      {action.error !== null && (
        <div className="col-span-2">
          <ErrorNotice error={action.error} />
        </div>
      )}
    </div>
  );
}
