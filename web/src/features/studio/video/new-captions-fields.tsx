import { t } from '../../../lib/i18n.ts';
import { DropZone } from '../../../ui/drop-zone.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { KINDS, LANGUAGES, type NewCaptionsForm } from './use-new-captions.ts';

/** Takes the text of new captions from a file. */
export function CaptionsFileField({ captions: { onFile, taken } }: { captions: NewCaptionsForm }) {
  return (
    <DropZone label={t`Upload captions`} className="py-5" onFile={onFile}>
      <p className="text-muted">{t`Drop an .srt or .vtt file here, type below, or`}</p>
      <FileButton label={t`Captions file`} accept=".srt,.vtt,text/vtt" onFile={onFile}>{t`Select file`}</FileButton>
      <p role="status" className="text-sm text-sea empty:hidden">
        {taken}
      </p>
    </DropZone>
  );
}

/** The language and the type of new captions. */
export function CaptionsTypeFields({ captions: { language, setLanguage, form } }: { captions: NewCaptionsForm }) {
  return (
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
  );
}
