import { useState } from 'react';
import { StudioTranscriptionEstimate, TranscribeContent } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { languageChoices } from '../content/languages.ts';

const LANGUAGES = languageChoices(null);

interface Properties {
  readonly contentId: string;
  readonly ready: boolean;
  readonly onOrder: () => Promise<void>;
}

/** Orders captions from the speech of a video. */
export function TranscribeForm({ contentId, ready, onOrder }: Properties) {
  const [language, setLanguage] = useState('');
  const [seconds, setSeconds] = useState<number | null>(null);
  const action = useAction();
  const transcribe = (): void =>
    action.run('transcribe', async () => {
      await api(TranscribeContent, { id: contentId, input: { language: language || null, again: true } });
      await onOrder();
    });
  const estimate = (): void =>
    action.run('estimate', async () => {
      setSeconds((await api(StudioTranscriptionEstimate, { id: contentId })).estimateTranscription.readyInSeconds);
    });
  return (
    <div className="space-y-2">
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="Language of the speech"
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        >
          <option value="">Detect automatically</option>
          {LANGUAGES.map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button busy={action.busy === 'transcribe'} disabled={!ready} onClick={transcribe}>
          Generate captions
        </Button>
        <Button look="quiet" busy={action.busy === 'estimate'} disabled={!ready} onClick={estimate}>
          Estimate
        </Button>
      </div>
      {seconds !== null && <p className="text-sm">{describedTime(seconds)}</p>}
    </div>
  );
}

/** What an estimate says. */
export function describedTime(seconds: number): string {
  return `About ${Math.max(1, Math.ceil(seconds / 60))} min, with the queue as it is.`;
}
