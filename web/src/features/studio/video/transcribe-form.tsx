import { useState } from 'react';
import {
  StudioTranscriptionEstimate,
  type StudioTranscriptionEstimateResult,
  TranscribeContent,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { languageChoices } from '../content/languages.ts';
import { estimateText } from './estimate-text.ts';

const LANGUAGES = languageChoices(null);

interface Properties {
  readonly contentId: string;
  readonly ready: boolean;
  readonly onOrder: () => Promise<void>;
}

/** Orders captions from the speech of a video. */
export function TranscribeForm({ contentId, ready, onOrder }: Properties) {
  const [language, setLanguage] = useState('');
  const [estimate, setEstimate] = useState<StudioTranscriptionEstimateResult['estimateTranscription'] | null>(null);
  const action = useAction();
  const transcribe = (): void =>
    action.run('transcribe', async () => {
      await api(TranscribeContent, { id: contentId, input: { language: language || null, again: true } });
      await onOrder();
    });
  const showEstimate = (): void =>
    action.run('estimate', async () => {
      setEstimate((await api(StudioTranscriptionEstimate, { id: contentId })).estimateTranscription);
    });
  return (
    <div className="space-y-2">
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label={t`Language of the speech`}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        >
          <option value="">{t`Detect automatically`}</option>
          {LANGUAGES.map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button
          busy={action.busy === 'transcribe'}
          disabled={!ready}
          onClick={transcribe}
        >{t`Generate captions`}</Button>
        <Button
          look="quiet"
          busy={action.busy === 'estimate'}
          disabled={!ready}
          onClick={showEstimate}
        >{t`Estimate`}</Button>
      </div>
      {estimate && <p className="text-sm">{estimateText(estimate)}</p>}
    </div>
  );
}
