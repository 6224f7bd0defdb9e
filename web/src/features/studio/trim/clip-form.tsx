import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CreateClip } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { contentTail } from '../../../lib/did.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { timecode } from '../captions-editor/cue-text.ts';
import type { Part } from './trim-parts.ts';

interface Properties {
  readonly contentId: string;
  /** Of the video. */
  readonly title: string;
  readonly clip: Part;
  readonly onClose: () => void;
}

const MAX_TITLE = 100;

/** What a clip is called; creates it, and opens it in the studio. */
export function ClipForm({ contentId, title: from, clip, onClose }: Properties) {
  const [title, setTitle] = useState(t`Clip of ${from}`.slice(0, MAX_TITLE));
  const navigate = useNavigate();
  const action = useAction();
  const { startMs, endMs } = clip;
  const create = async (): Promise<void> => {
    const input = { content: contentId, startMs: Math.round(startMs), endMs: Math.round(endMs), title };
    const { createClip } = await api(CreateClip, { input });
    await navigate({ to: '/studio/content/$', params: { _splat: contentTail(createClip.content.id) } });
  };
  return (
    <section aria-label={t`New clip`} className="space-y-4 rounded-lg border border-line p-4">
      <p className="tabular-nums">
        {timecode(startMs)} – {timecode(endMs)}
      </p>
      <TextField
        label={t`Title`}
        value={title}
        maxLength={MAX_TITLE}
        required
        onChange={(event) => setTitle(event.target.value)}
      />
      <p className="text-sm text-muted">{t`A clip is a video of its own. It is private until you publish it.`}</p>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={action.busy !== null}
          disabled={title.trim() === ''}
          onClick={() => action.run('create', create)}
        >
          {t`Save as clip`}
        </Button>
        <Button onClick={onClose}>{t`Cancel`}</Button>
      </div>
    </section>
  );
}
