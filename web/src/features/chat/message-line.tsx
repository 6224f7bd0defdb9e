import { useState } from 'react';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t, tc } from '../../lib/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { ReportDialog } from '../social/report-dialog.tsx';
import type { ChatMessage } from './chat-updates.ts';
import { type ChatViewer, messageActions } from './message-actions.ts';
import { MessageText } from './message-text.tsx';

interface Properties {
  readonly message: ChatMessage;
  readonly isPinned: boolean;
  readonly viewer: ChatViewer;
}

/** A message of a chat, with what the viewer may do with it. */
export function MessageLine({ message, isPinned, viewer }: Properties) {
  const action = useAction();
  const actions = messageActions(message, isPinned, viewer);
  const [reporting, setReporting] = useState(false);
  const mayReport = viewer.username !== null && message.author !== viewer.username && !viewer.moderates;
  return (
    <div className="flex items-start gap-2 rounded-lg px-2 py-1 hover:bg-raised">
      <div className="min-w-0 grow">
        <MessageText message={message} />
        {action.error !== null && <ErrorNotice error={action.error} />}
      </div>
      {(actions.length > 0 || mayReport) && (
        <Popover
          label={t`More actions for the message by ${message.author}`}
          face={<Icon name="more" className="size-4.5" />}
          className={buttonClass('quiet', 'min-h-7! px-1! py-0!')}
        >
          {actions.map(({ name, icon, run }) => (
            <button key={icon} type="button" className={POPOVER_ITEM} onClick={() => action.run(icon, run)}>
              <Icon name={icon} className="size-4.5" /> {name}
            </button>
          ))}
          {mayReport && (
            <button type="button" className={POPOVER_ITEM} onClick={() => setReporting(true)}>
              <Icon name="flag" className="size-4.5" /> {tc('verb', 'Report')}
            </button>
          )}
        </Popover>
      )}
      {mayReport && (
        <ReportDialog
          target={reporting ? message.id : null}
          title={t`Report this message`}
          onClose={() => setReporting(false)}
        />
      )}
    </div>
  );
}
