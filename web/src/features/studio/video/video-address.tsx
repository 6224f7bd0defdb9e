import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { fetchToContent } from '../../uploads/upload-commands.ts';

interface Properties {
  readonly content: StudioContentFragment;
  /** While another file is on its way. */
  readonly busy: boolean;
  readonly onStarted: () => void;
}

/** Asks for the address from which the server fetches another file for a video. */
export function VideoAddress({ content, busy, onStarted }: Properties) {
  const form = useForm(async (data, element) => {
    await fetchToContent(content, textOf(data, 'sourceUrl'));
    element.reset();
    onStarted();
  });
  return (
    <form aria-label={t`Fetch a file`} onSubmit={form.onSubmit} className="space-y-3">
      <TextField
        label={t`Or the address of a file`}
        name="sourceUrl"
        type="url"
        required
        placeholder="https://example.com/video.mp4"
        error={form.fieldError('sourceUrl')}
        hint={t`The server fetches it. The address must be public and lead to the file itself, not to a page with it.`}
      />
      {form.error !== null && <ErrorNotice error={form.error} />}
      <Button type="submit" busy={busy || form.busy}>{t`Fetch file`}</Button>
    </form>
  );
}
