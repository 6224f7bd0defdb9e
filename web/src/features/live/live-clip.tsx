import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CreateClip, LiveClipRange } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { readTimecode, timecode } from '../studio/captions-editor/cue-text.ts';

interface Properties {
  /** Id of a stream that is live. */
  readonly id: string;
  readonly title: string;
}

/** Milliseconds of the broadcast. */
interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** Suggested length. */
const CLIP_MS = 30_000;

/** Makes clips of the last minutes of a broadcast, while it goes on. */
export function LiveClip({ id, title }: Properties) {
  const [stored, setStored] = useState<Range | 'none' | null>(null);
  const [clip, setClip] = useState<string | null>(null);
  const action = useAction();
  const open = async (): Promise<void> => {
    const { content } = await api(LiveClipRange, { id });
    setStored((content?.__typename === 'Stream' && content.broadcast?.clippableRange) || 'none');
  };
  const close = (): void => setStored(null);
  const made = (content: string): void => {
    setClip(content);
    close();
  };
  return (
    <>
      <Button
        busy={action.busy !== null}
        onClick={() => action.run('open', open)}
      >{t`Clip the last 30 seconds`}</Button>
      <div role="status" className="order-last w-full empty:hidden">
        {clip !== null && (
          <>
            {t`The clip is being made.`}{' '}
            <Link
              to="/studio/content/$"
              params={{ _splat: contentTail(clip) }}
              className="underline underline-offset-2 hover:text-accent-text"
            >{t`Open the clip`}</Link>
          </>
        )}
        {stored === 'none' && t`Nothing is stored yet. Try again in a few seconds.`}
      </div>
      {action.error !== null && (
        <div className="order-last w-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <Dialog open={stored !== null && stored !== 'none'} title={t`New clip`} onClose={close}>
        {stored !== null && stored !== 'none' && (
          <ClipForm id={id} title={title} stored={stored} onMade={made} onCancel={close} />
        )}
      </Dialog>
    </>
  );
}

interface FormProperties extends Properties {
  readonly stored: Range;
  readonly onMade: (clip: string) => void;
  readonly onCancel: () => void;
}

const MAX_TITLE = 100;

/** Down to tenths of a second: the API allows for a start that is a little early. */
const toTenths = (ms: number): number => 100 * Math.floor(ms / 100);

function ClipForm({ id, title: from, stored, onMade, onCancel }: FormProperties) {
  const [wrong, setWrong] = useState<'startMs' | 'endMs' | null>(null);
  const form = useForm(async (data) => {
    const [startMs, endMs] = [readTimecode(textOf(data, 'startMs')), readTimecode(textOf(data, 'endMs'))];
    setWrong(startMs === null ? 'startMs' : endMs === null ? 'endMs' : null);
    if (startMs === null || endMs === null) return false;
    const input = { content: id, startMs, endMs, title: textOf(data, 'title') };
    onMade((await api(CreateClip, { input })).createClip.content.id);
    return true;
  });
  const errorOf = (field: 'startMs' | 'endMs') =>
    wrong === field ? t`Write a time such as 1:02.5.` : form.fieldError(field);
  const [startMs, endMs] = [toTenths(stored.startMs), toTenths(stored.endMs)];
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <TextField
        label={t`Title`}
        name="title"
        defaultValue={t`Clip of ${from}`.slice(0, MAX_TITLE)}
        maxLength={MAX_TITLE}
        required
        error={form.fieldError('title')}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={t`Start`}
          name="startMs"
          dir="ltr"
          defaultValue={timecode(Math.max(startMs, endMs - CLIP_MS))}
          required
          error={errorOf('startMs')}
        />
        <TextField
          label={t`End`}
          name="endMs"
          dir="ltr"
          defaultValue={timecode(endMs)}
          required
          error={errorOf('endMs')}
        />
      </div>
      <p className="text-sm text-muted">
        {t`You can clip from ${timecode(startMs)} to ${timecode(endMs)}, at most 10 minutes. A clip is a video of its
          own. It is private until you publish it.`}
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <DialogButtons>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>{t`Save as clip`}</Button>
      </DialogButtons>
    </form>
  );
}
