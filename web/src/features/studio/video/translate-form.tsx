import { useState } from 'react';
import {
  type StudioCaptionsFragment,
  StudioTranslationEstimate,
  type StudioTranslationEstimateResult,
  TranslateCaptions,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { languageChoices, languageName } from '../content/languages.ts';
import { estimateText } from './estimate-text.ts';

const LANGUAGES = languageChoices(null);

interface Properties {
  readonly contentId: string;
  readonly ready: boolean;
  readonly captions: readonly StudioCaptionsFragment[];
  readonly onOrder: () => Promise<void>;
}

/** Orders a translation of captions; renders nothing while there are none to translate. */
export function TranslateForm({ contentId, ready, captions, onOrder }: Properties) {
  const sources = [...new Set(captions.flatMap((each) => (isTranslatable(each) ? [each.language] : [])))];
  const [chosen, setChosen] = useState('');
  const [to, setTo] = useState('');
  const [estimate, setEstimate] = useState<StudioTranslationEstimateResult['estimateTranslation'] | null>(null);
  const action = useAction();
  const from = sources.includes(chosen) ? chosen : (sources[0] ?? '');
  const targets = LANGUAGES.filter(([tag]) => baseOf(tag) !== baseOf(from));
  const input = { from, to: targets.some(([tag]) => tag === to) ? to : '' };
  const isPossible = ready && input.to !== '';
  if (from === '') return null;
  const translate = (): void =>
    action.run('translate', async () => {
      await api(TranslateCaptions, { id: contentId, input: { ...input, again: true } });
      await onOrder();
    });
  const showEstimate = (): void =>
    action.run('estimate', async () => {
      setEstimate((await api(StudioTranslationEstimate, { id: contentId, input })).estimateTranslation);
    });
  return (
    <div className="space-y-2">
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap items-end gap-2">
        <SelectField label={t`Translate from`} value={from} onChange={(event) => setChosen(event.currentTarget.value)}>
          {sources.map((tag) => (
            <option key={tag} value={tag}>
              {languageName(tag)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t`Into`} value={input.to} onChange={(event) => setTo(event.currentTarget.value)}>
          <option value="">{t`Select a language`}</option>
          {targets.map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button
          busy={action.busy === 'translate'}
          disabled={!isPossible}
          onClick={translate}
        >{t`Translate captions`}</Button>
        <Button
          look="quiet"
          busy={action.busy === 'estimate'}
          disabled={!isPossible}
          onClick={showEstimate}
        >{t`Estimate translation`}</Button>
      </div>
      {estimate && <p className="text-sm">{estimateText(estimate)}</p>}
    </div>
  );
}

/** The language of a tag, whatever its script and region. */
const baseOf = (tag: string): string => tag.split('-')[0] ?? tag;

/** Of translations, others are not made. */
function isTranslatable({ kind, isForced, automaticKind }: StudioCaptionsFragment): boolean {
  return kind !== 'DESCRIPTIONS' && !isForced && automaticKind !== 'TRANSLATION';
}
