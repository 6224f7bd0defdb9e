import { useQuery } from '@tanstack/react-query';
import {
  type BatchFragment,
  type ContentInput,
  Taxonomy,
  UpdateContents,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { categoryName } from '../../../lib/category-names.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { operationQuery } from '../../../lib/query.ts';
import { textOf, useForm } from '../../../lib/use-form.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { readKeywords } from '../content/keywords.ts';
import { languageChoices } from '../content/languages.ts';
import { BulkDialog, type BulkDialogProperties } from './bulk-dialog.tsx';

async function updateAll(ids: readonly string[], changes: ContentInput): Promise<readonly BatchFragment[]> {
  const send = async (some: readonly string[]) =>
    (await api(UpdateContents, { items: some.map((id) => ({ id, changes })) })).updateContents.results;
  return inBatches(ids, send);
}

/** Replaces the categories of the selected videos. */
export function BulkCategories({ ids, onResults, onClose }: BulkDialogProperties) {
  const taxonomy = useQuery(operationQuery(Taxonomy));
  const form = useForm(async (data) => {
    onResults(await updateAll(ids, { categories: data.getAll('categories').map(String) }));
    onClose();
  });
  return (
    <BulkDialog title={t`Categories`} form={form} onClose={onClose}>
      <p className="text-sm text-muted">{t`Up to 3 categories, which replace those the videos have.`}</p>
      <fieldset className="grid max-h-72 gap-2 overflow-y-auto sm:grid-cols-2">
        <legend className="sr-only">{t`Categories`}</legend>
        {taxonomy.data?.categories.edges.map(({ node }) => (
          <label key={node.id} className="flex items-center gap-2.5">
            <input type="checkbox" name="categories" value={node.id} className="size-4 accent-accent" />
            {categoryName(node)}
          </label>
        ))}
      </fieldset>
    </BulkDialog>
  );
}

const KEEP = 'keep';

/** Changes details of the selected videos; a field that is not touched keeps what each has. */
export function BulkDetails({ ids, onResults, onClose }: BulkDialogProperties) {
  const taxonomy = useQuery(operationQuery(Taxonomy));
  const form = useForm(async (data) => {
    onResults(await updateAll(ids, readChanges(data)));
    onClose();
  });
  return (
    <BulkDialog title={t`Details`} form={form} onClose={onClose}>
      <SelectField label={t`Language`} name="language" defaultValue={KEEP}>
        <option value={KEEP}>{t`Keep as it is`}</option>
        <option value="">{t`Not specified`}</option>
        {languageChoices(null).map(([tag, name]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label={t`Rating`} name="rating" defaultValue={KEEP}>
        <option value={KEEP}>{t`Keep as it is`}</option>
        <option value="">{t`Not rated`}</option>
        {taxonomy.data?.ratings.edges.map(({ node }) => (
          <option key={node.id} value={node.id} title={node.description}>
            {node.code} ({node.system.replace('_', ' ')})
          </option>
        ))}
      </SelectField>
      <TextField
        label={t`Keywords`}
        name="keywords"
        hint={t`Separated by commas; they replace those the videos have. Empty: kept as they are.`}
        error={form.fieldError('keywords')}
      />
    </BulkDialog>
  );
}

function readChanges(data: FormData): ContentInput {
  const [language, rating, keywords] = [textOf(data, 'language'), textOf(data, 'rating'), textOf(data, 'keywords')];
  return {
    ...(language !== KEEP && { language: language || null }),
    ...(rating !== KEEP && { rating: rating || null }),
    ...(keywords && { keywords: readKeywords(keywords) }),
  };
}
