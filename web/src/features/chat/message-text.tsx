import { clockTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { LinkedText } from '../../ui/linked-text.tsx';
import type { ChatMessage } from './chat-updates.ts';

/** What somebody has written; in a replay, with its time. */
export function MessageText({ message }: { readonly message: ChatMessage }) {
  const { author, body, isByMember, positionMs } = message;
  return (
    <p dir="auto" className="[overflow-wrap:anywhere]">
      {positionMs !== undefined && (
        <span className="me-2 text-sm text-muted tabular-nums">{clockTime(positionMs / 1_000)}</span>
      )}
      <bdi className={`me-2 font-semibold ${isByMember ? 'text-accent-text' : 'text-muted'}`}>{author}</bdi>
      {isByMember && <span className="sr-only">{t`Member of the channel`} </span>}
      <LinkedText text={body} />
    </p>
  );
}
