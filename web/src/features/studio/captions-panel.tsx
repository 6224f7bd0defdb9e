import { useState } from 'react';
import {
  AddCaptions,
  type CaptionsKind,
  ChangeCaptions,
  DropCaptions,
  type StudioCaptionsFragment,
} from '../../gql/generated/operations.gen.ts';
import { here } from '../../lib/address.ts';
import { ApiError, api } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { textOf, useForm } from '../../lib/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { EditedContent } from './details-form.tsx';
import { languageChoices, languageName } from './languages.ts';

const KINDS: readonly (readonly [CaptionsKind, string])[] = [
  ['SUBTITLES', 'Subtitles: what is said'],
  ['CAPTIONS', 'Captions: what is said and heard'],
  ['DESCRIPTIONS', 'Descriptions: what is seen'],
];

/** Texts shown with the video: listed, changed, added from a file or by hand. */
export function CaptionsPanel({ content }: { content: EditedContent }) {
  const [captions, setCaptions] = useState<readonly StudioCaptionsFragment[]>(content.captions.edges.map(({ node }) => node));
  // At most one is shown by default: making another the default takes it away from the first.
  const settle = (changed: StudioCaptionsFragment, known: readonly StudioCaptionsFragment[]): readonly StudioCaptionsFragment[] =>
    known.map((each) => (each.id === changed.id ? changed : changed.isDefault ? { ...each, isDefault: false } : each));
  return (
    <Panel
      title="Captions"
      hint="They appear in the player within a minute. Captions inside the video file are offered too and need nothing here."
    >
      {captions.length > 0 && (
        <ul className="divide-y divide-line">
          {captions.map((each) => (
            <CaptionsRow
              key={each.id}
              captions={each}
              onChange={(changed) => setCaptions((known) => settle(changed, known))}
              onGone={() => setCaptions((known) => known.filter(({ id }) => id !== each.id))}
            />
          ))}
        </ul>
      )}
      <NewCaptions contentId={content.id} onAdded={(added) => setCaptions((known) => settle(added, [...known, added]))} />
    </Panel>
  );
}

interface RowProperties {
  readonly captions: StudioCaptionsFragment;
  readonly onChange: (captions: StudioCaptionsFragment) => void;
  readonly onGone: () => void;
}

function CaptionsRow({ captions, onChange, onGone }: RowProperties) {
  const [asking, setAsking] = useState(false);
  const action = useAction();
  const { id, label, language, kind, isDefault, vtt } = captions;
  const toggle = async (): Promise<void> =>
    onChange((await api(ChangeCaptions, { id, input: { isDefault: !isDefault } })).updateContentCaptions);
  const remove = async (): Promise<void> => {
    await api(DropCaptions, { id });
    onGone();
  };
  return (
    <li aria-label={label} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold">{label}</p>
        <p className="text-sm text-muted">
          {languageName(language)} · {kind.toLowerCase()}
          {isDefault && ' · shown by default'}
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        <Button look="quiet" busy={action.busy !== null} onClick={() => action.run('default', toggle)}>
          {isDefault ? 'Do not show by default' : 'Show by default'}
        </Button>
        {vtt && (
          <a
            href={here(vtt)}
            download
            className="rounded-lg px-2.5 py-2 text-[0.95rem] font-semibold text-muted hover:bg-raised hover:text-fore"
          >
            Download
          </a>
        )}
        <Button look="quiet" onClick={() => setAsking(true)} aria-label={`Remove ${label}`}>
          Remove
        </Button>
      </div>
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <Confirm open={asking} title={`Remove ${label}?`} yes="Remove" onYes={remove} onClose={() => setAsking(false)}>
        <p>Viewers will not be offered these captions any more.</p>
      </Confirm>
    </li>
  );
}

const MAX_BYTES = 1_048_576;

function NewCaptions({ contentId, onAdded }: { contentId: string; onAdded: (captions: StudioCaptionsFragment) => void }) {
  const [text, setText] = useState('');
  const form = useForm(async (data, element) => {
    const input = {
      language: textOf(data, 'language'),
      label: textOf(data, 'label') || null,
      kind: KINDS.find(([name]) => name === data.get('kind'))?.[0] ?? null,
      isDefault: data.has('default'),
      text,
    };
    onAdded((await api(AddCaptions, { id: contentId, input })).createContentCaptions);
    element.reset();
    setText('');
  });
  const [refused, setRefused] = useState<unknown>(null);
  const take = async (file: File | undefined): Promise<void> => {
    setRefused(null);
    if (!file) return;
    if (file.size > MAX_BYTES) {
      const fix = 'Choose an SRT or WebVTT file of at most 1 MiB.';
      setRefused(
        new ApiError({ message: 'The file is too large for captions.', extensions: { code: 'INVALID_INPUT', suggestedFix: fix } }),
      );
    } else setText(await file.text());
  };
  return (
    <details className="rounded-lg border border-line">
      <summary className="px-3 py-2.5 font-semibold">Add captions</summary>
      <form onSubmit={form.onSubmit} aria-label="New captions" className="space-y-4 border-t border-line p-4">
        {(form.error ?? refused) !== null && <ErrorNotice error={form.error ?? refused} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Spoken or written in" name="language" defaultValue="en" fault={form.fault('language')}>
            {languageChoices(null).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label="What they are" name="kind" defaultValue="SUBTITLES">
            {KINDS.map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField
          label="Name in the player"
          name="label"
          hint="The language in its own words when left empty."
          fault={form.fault('label')}
        />
        <TextField
          label="Captions file"
          type="file"
          accept=".srt,.vtt,text/vtt"
          hint="SRT or WebVTT, or write them below."
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <TextArea
          label="Text"
          required
          rows={8}
          className="font-mono"
          placeholder={'1\n00:00:01,000 --> 00:00:03,500\nHello.'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          fault={form.fault('text')}
        />
        <CheckField label="Show them unless the viewer chooses otherwise" name="default" />
        <Button look="primary" type="submit" busy={form.busy}>
          Add
        </Button>
      </form>
    </details>
  );
}
