import { SetChapters } from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { textOf, useForm } from '../../../lib/use-form.ts';
import { TextArea } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import type { EditedContent } from '../content/details-form.tsx';
import { readChapters, writeChapters } from './chapter-lines.ts';

/** The chapter editor: one chapter per line. */
export function ChaptersPanel({ content, onSaved }: { content: EditedContent; onSaved: () => void }) {
  const form = useForm(async (data) => {
    await api(SetChapters, { id: content.id, input: { chapters: parseChapters(textOf(data, 'chapters')) } });
    onSaved();
  });
  return (
    <Panel title="Chapters" hint="Shown on the seek bar and in a list below the video.">
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextArea
          label="Timestamps and titles"
          name="chapters"
          rows={6}
          placeholder={'0:00 The harbour\n1:30 Setting sail'}
          defaultValue={writeChapters(content.chapters)}
          hint={
            'At least three, one per line, in order. The first must ' +
            'start at 0:00, and each must last at least 10 seconds.'
          }
        />
        <SaveBar busy={form.busy} saved={form.saved} />
      </form>
    </Panel>
  );
}

/** Parses the chapters of the form. Throws ApiError for an invalid line. */
function parseChapters(text: string) {
  try {
    return readChapters(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The chapters cannot be read.';
    throw new ApiError({
      message,
      extensions: { code: 'INVALID_INPUT', suggestedFix: 'Enter the timestamp, then the title: 1:30 Setting sail' },
    });
  }
}
