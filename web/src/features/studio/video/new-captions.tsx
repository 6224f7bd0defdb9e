import { type MouseEvent, useRef, useState } from 'react';
import {
  type CaptionsKind,
  CreateCaptions,
  type StudioCaptionsFragment,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { DropZone } from '../../../ui/drop-zone.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { errorLine, languageFromFilename, lineRange, readCaptionsFile } from '../captions-editor/captions-file.ts';
import type { NewCaptionsDraft } from '../captions-editor/use-save-captions.ts';
import { languageChoices, languageName } from '../content/languages.ts';

const KINDS: readonly (readonly [CaptionsKind, string])[] = [
  ['SUBTITLES', t`Subtitles: dialogue`],
  ['CAPTIONS', t`Captions: dialogue and sounds`],
  ['DESCRIPTIONS', t`Descriptions: visual content`],
];
const LANGUAGES = languageChoices(null);
const EXAMPLE = `1\n00:00:01,000 --> 00:00:03,500\n${t`Hello.`}`;

interface Properties {
  readonly contentId: string;
  readonly onAdded: (captions: StudioCaptionsFragment) => void;
  /** Opens the editor without cues; null where the video cannot be played yet. */
  readonly onStart: ((draft: NewCaptionsDraft) => void) | null;
}

/** The form to add captions from a file or by typing. */
export function NewCaptions({ contentId, onAdded, onStart }: Properties) {
  const [text, setText] = useState('');
  const [language, setLanguage] = useState('en');
  const [taken, setTaken] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const reading = useAction();
  const describe = (data: FormData) => ({
    language,
    label: textOf(data, 'label') || null,
    kind: KINDS.find(([name]) => name === data.get('kind'))?.[0] ?? null,
    isDefault: data.has('default'),
    isForced: data.has('forced'),
  });
  const start = ({ currentTarget }: MouseEvent<HTMLButtonElement>): void => {
    const { form: element } = currentTarget;
    if (!element) return;
    const input = describe(new FormData(element));
    onStart?.({ id: null, label: input.label ?? languageName(language), input });
  };
  const form = useForm(async (data, element) => {
    const input = { ...describe(data), text };
    onAdded((await api(CreateCaptions, { id: contentId, input })).createContentCaptions.captions);
    element.reset();
    setText('');
    setTaken('');
  });
  const loadFile = async (file: File): Promise<void> => {
    form.clear();
    setText(await readCaptionsFile(file));
    const detected = languageFromFilename(
      file.name,
      LANGUAGES.map(([tag]) => tag),
    );
    if (detected) setLanguage(detected);
    const name = detected && languageName(detected);
    setTaken(`${t`Loaded ${file.name}.`} ${name ? t`Language detected: ${name}.` : t`Check the language.`}`);
  };
  const onFile = (file: File): void => reading.run('read', () => loadFile(file));
  const error = reading.error ?? form.error;
  const line = error instanceof ApiError ? errorLine(error.message) : null;
  const showLine = (): void => {
    area.current?.focus();
    area.current?.setSelectionRange(...lineRange(text, line ?? 1));
  };
  return (
    <details className="rounded-lg border border-line">
      <summary className="px-3 py-2.5 font-semibold">{t`Add captions`}</summary>
      <form onSubmit={form.onSubmit} aria-label={t`New captions`} className="space-y-4 border-t border-line p-4">
        <DropZone label={t`Upload captions`} className="py-5" onFile={onFile}>
          <p className="text-muted">{t`Drop an .srt or .vtt file here, type below, or`}</p>
          <FileButton label={t`Captions file`} accept=".srt,.vtt,text/vtt" onFile={onFile}>{t`Select file`}</FileButton>
          <p role="status" className="text-sm text-sea empty:hidden">
            {reading.error === null ? taken : ''}
          </p>
        </DropZone>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t`Captions language`}
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value)}
            error={form.fieldError('language')}
          >
            {LANGUAGES.map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label={t`Type`} name="kind" defaultValue="SUBTITLES">
            {KINDS.map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
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
          onChange={(event) => setText(event.currentTarget.value)}
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
