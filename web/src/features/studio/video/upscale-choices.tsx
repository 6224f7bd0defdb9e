import type { StudioUpscaleResult } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { SelectField } from '../../../ui/field.tsx';
import type { Upscale } from './use-upscale.ts';

/** The size to enlarge to, and the model where there are several. */
export function UpscaleChoices({ upscale: { targets, target, models, model, choose } }: { upscale: Upscale }) {
  return (
    <>
      <Targets targets={targets} target={target} onChoose={(chosen) => choose({ target: chosen })} />
      {models.length > 1 && <Models models={models} model={model} onChoose={(chosen) => choose({ model: chosen })} />}
    </>
  );
}

type Model = StudioUpscaleResult['upscaling']['models'][number];

interface TargetsProps {
  readonly targets: readonly number[];
  readonly target: number | null;
  readonly onChoose: (target: number | null) => void;
}

function Targets({ targets, target, onChoose }: TargetsProps) {
  return (
    <SelectField
      label={t`Quality`}
      value={target === null ? '' : `${target}`}
      onChange={(event) => onChoose(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">{t`Automatic: twice the size`}</option>
      {targets.map((each) => (
        <option key={each} value={each}>
          {`${each}p`}
        </option>
      ))}
    </SelectField>
  );
}

interface ModelsProps {
  readonly models: readonly Model[];
  readonly model: string | null;
  readonly onChoose: (name: string) => void;
}

/** What the models of the platform are for; the operator's have names only. */
const MODEL_LABELS: Readonly<Record<string, string>> = {
  compressed: t`Compressed video (default)`,
  clean: t`Clean video of high quality`,
};

function modelText({ name, source, factors }: Model): string {
  const largest = Math.max(...factors);
  return source === 'BUILT_IN' ? (MODEL_LABELS[name] ?? name) : t`${name} (up to ${largest}x)`;
}

function Models({ models, model, onChoose }: ModelsProps) {
  const usual = models.find(({ isDefault }) => isDefault)?.name ?? '';
  return (
    <SelectField label={t`Model`} value={model ?? usual} onChange={(event) => onChoose(event.target.value)}>
      {models.map((each) => (
        <option key={each.name} value={each.name}>
          {modelText(each)}
        </option>
      ))}
    </SelectField>
  );
}
