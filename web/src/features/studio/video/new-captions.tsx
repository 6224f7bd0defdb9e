import { type MouseEvent, useRef } from 'react';
import type { StudioCaptionsFragment } from '../../../gql/generated/operations.gen.ts';
import { ApiError } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextArea, TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { errorLine, lineRange } from '../captions-editor/captions-file.ts';
import type { NewCaptionsDraft } from '../captions-editor/use-save-captions.ts';
import { CaptionsFileField, CaptionsTypeFields } from './new-captions-fields.tsx';
import { useNewCaptions } from './use-new-captions.ts';

const EXAMPLE = `1\n00:00:01,000 --> 00:00:03,500\n${t`Hello.`}`;

interface Properties {
  readonly contentId: string;
  readonly onAdded: (captions: StudioCaptionsFragment) => void;
  /** Opens the editor without cues; null where the video cannot be played yet. */
  readonly onStart: ((draft: NewCaptionsDraft) => void) | null;
}

/** The form to add captions from a file or by typing. */
export function NewCaptions({ contentId, onAdded, onStart }: Properties) {
  const captions = useNewCaptions(contentId, onAdded);
  const { form, text, error } = captions;
  const area = useRef<HTMLTextAreaElement>(null);
  const start = ({ currentTarget }: MouseEvent<HTMLButtonElement>): void => {
    if (currentTarget.form) onStart?.(captions.draft(currentTarget.form));
  };
  const line = error instanceof ApiError ? errorLine(error.message) : null;
  const showLine = (): void => {
    area.current?.focus();
    area.current?.setSelectionRange(...lineRange(text, line ?? 1));
  };
  return (
    <details className="rounded-lg border border-line">
      <summary className="px-3 py-2.5 font-semibold">{t`Add captions`}</summary>
      <form onSubmit={form.onSubmit} aria-label={t`New captions`} className="space-y-4 border-t border-line p-4">
        <CaptionsFileField captions={captions} />
        <CaptionsTypeFields captions={captions} />
        <TextField
          label={t`Label`}
          name="label"
          hint={t`Shown in the player. Defaults to the name of the language.`}
          error={form.fieldError('label')}
        />
        <TextArea
          label={t`Text`}
          area={area}
          required
          rows={8}
          look="code"
          placeholder={EXAMPLE}
          value={text}
          onChange={(event) => captions.setText(event.currentTarget.value)}
          error={form.fieldError('text')}
        />
        <CheckField label={t`Show by default`} name="default" />
        <CheckField
          label={t`Forced`}
          name="forced"
          hint={t`Only signs and speech in other languages. Shown to viewers who turned captions off.`}
        />
        {error !== null && (
          <ErrorNotice
            error={error}
            action={line !== null && <Button onClick={showLine}>{t`Go to line ${line}`}</Button>}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Button look="primary" type="submit" busy={form.busy}>{t`Add`}</Button>
          {onStart && <Button onClick={start}>{t`Create in the editor`}</Button>}
        </div>
      </form>
    </details>
  );
}
