import { useEffect, useState } from 'react';
import {
  SetChapters,
  type SetContentChaptersInput,
  StudioContentDetails,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { type EditFields, textEdit } from '../../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../../lib/edits/use-edit-form.ts';
import { t } from '../../../lib/i18n.ts';
import { chaptersOf } from '../../../player/ranges.ts';
import { storyboardOf } from '../../../player/storyboard.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { EditedContent } from '../content/details-form.tsx';
import { EditBar } from '../form/edit-bar.tsx';
import { useUnsaved } from '../form/use-unsaved.ts';
import { type ChapterLine, readChapters, writeChapters } from './chapter-lines.ts';
import { ChapterTimeline } from './chapter-timeline.tsx';

const EXAMPLE = `0:00 ${t`The harbour`}\n1:30 ${t`Setting sail`}`;

const FIELDS: EditFields<EditedContent> = {
  chapters: textEdit(t`Chapters`, textOf, parseChapters),
};

/** The chapter editor: a timeline, and one line per chapter. */
export function ChaptersPanel({ content, onSaved }: { content: EditedContent; onSaved: () => void }) {
  const unsaved = useUnsaved();
  const [text, setText] = useState(() => textOf(content));
  const { id } = content;
  const form = useEditForm({
    fields: FIELDS,
    edited: content,
    send: (input: SetContentChaptersInput) => api(SetChapters, { id, input }),
    load: async () => (await api(StudioContentDetails, { id })).content ?? null,
    onSaved: () => {
      unsaved.keep();
      onSaved();
    },
  });
  const { check } = unsaved;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form holds the text
  useEffect(check, [text]);
  const change = (changed: string): void => {
    setText(changed);
    form.onChange();
  };
  return (
    <Panel title={t`Chapters`} hint={t`Shown on the seek bar and in a list below the video.`}>
      <form ref={unsaved.ref} onSubmit={form.onSubmit} className="space-y-5">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <Timeline content={content} text={text} onChange={(chapters) => change(writeChapters(chapters))} />
        <TextArea
          label={t`Timestamps and titles`}
          name="chapters"
          rows={6}
          placeholder={EXAMPLE}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          hint={t`At least three, one per line, in order. The first must start at 0:00, and each must last at least 10
            seconds.`}
        />
        <EditBar
          busy={form.busy}
          saved={form.saved}
          isDirty={unsaved.isDirty}
          onDiscard={() => {
            setText(textOf(content));
            form.clear();
          }}
        />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}

interface TimelineProperties {
  readonly content: EditedContent;
  readonly text: string;
  readonly onChange: (chapters: readonly ChapterLine[]) => void;
}

/** The chapters of the text on a timeline, while they can be read. */
function Timeline({ content, text, onChange }: TimelineProperties) {
  const { duration } = content.metadata;
  const chapters = tryReading(text);
  if (duration === null) return null;
  if (!chapters) {
    return <p className="text-sm text-muted">{t`The timeline follows once every line has a timestamp and a title.`}</p>;
  }
  return (
    <ChapterTimeline
      chapters={chapters.filter(({ startSeconds }) => startSeconds < duration)}
      duration={duration}
      storyboard={storyboardOf(content.outputAssets?.images?.videoThumbnails) ?? null}
      onChange={onChange}
    />
  );
}

function tryReading(text: string): readonly ChapterLine[] | null {
  try {
    return readChapters(text);
  } catch {
    return null;
  }
}

function textOf(content: EditedContent): string {
  return writeChapters(chaptersOf(content));
}

/** Parses the chapters of the form. Throws ApiError for an invalid line. */
function parseChapters(text: string): SetContentChaptersInput['chapters'] {
  try {
    return readChapters(text).map(({ startSeconds, title }) => ({ startMs: 1_000 * startSeconds, title }));
  } catch (error) {
    const message = error instanceof Error ? error.message : t`The chapters cannot be read.`;
    throw new ApiError({
      message,
      extensions: { code: 'INVALID_INPUT', suggestedFix: t`Enter the timestamp, then the title: 1:30 Setting sail` },
    });
  }
}
