import { useState } from 'react';
import {
  type CaptionsKind,
  CreateCaptions,
  type StudioCaptionsFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { languageFromFilename, readCaptionsFile } from '../captions-editor/captions-file.ts';
import type { NewCaptionsDraft } from '../captions-editor/use-save-captions.ts';
import { languageChoices, languageName } from '../content/languages.ts';

export const KINDS: readonly (readonly [CaptionsKind, string])[] = [
  ['SUBTITLES', t`Subtitles: dialogue`],
  ['CAPTIONS', t`Captions: dialogue and sounds`],
  ['DESCRIPTIONS', t`Descriptions: visual content`],
];
export const LANGUAGES = languageChoices(null);

/** What is entered of new captions, and what creates them. */
export type NewCaptionsForm = ReturnType<typeof useNewCaptions>;

/** Captions that are read from a file or typed, until they are created. */
export function useNewCaptions(contentId: string, onAdded: (captions: StudioCaptionsFragment) => void) {
  const [text, setText] = useState('');
  const [language, setLanguage] = useState('en');
  const [taken, setTaken] = useState('');
  const reading = useAction();
  const describe = (data: FormData) => ({
    language,
    label: textOf(data, 'label') || null,
    kind: KINDS.find(([name]) => name === data.get('kind'))?.[0] ?? null,
    isDefault: data.has('default'),
    isForced: data.has('forced'),
  });
  const draft = (element: HTMLFormElement): NewCaptionsDraft => {
    const input = describe(new FormData(element));
    return { id: null, label: input.label ?? languageName(language), input };
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
  return {
    ...{ text, setText, language, setLanguage, draft, form },
    onFile: (file: File): void => reading.run('read', () => loadFile(file)),
    /** What was read from a file. */
    taken: reading.error === null ? taken : '',
    error: reading.error ?? form.error,
  };
}
