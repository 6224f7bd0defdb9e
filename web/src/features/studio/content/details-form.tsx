import {
  type ContentInput,
  StudioContentDetails,
  type StudioContentDetailsResult,
  type TaxonomyResult,
  UpdateContent,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { choicesEdit, type EditFields, optionalEdit, textEdit } from '../../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../../lib/edits/use-edit-form.ts';
import type { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EditBar } from '../form/edit-bar.tsx';
import { useUnsaved } from '../form/use-unsaved.ts';
import { readKeywords } from './keywords.ts';
import { languageChoices } from './languages.ts';
import { TaxonomyPicker } from './taxonomy-picker.tsx';

/** A content as loaded for its editor. */
export type EditedContent = NonNullable<StudioContentDetailsResult['content']>;

interface Properties {
  readonly content: EditedContent;
  readonly taxonomy: TaxonomyResult;
  readonly onSaved: () => void;
}

const FIELDS: EditFields<EditedContent> = {
  title: textEdit(t`Title`, ({ metadata }) => metadata.title),
  summary: textEdit(t`Description`, ({ metadata }) => metadata.summary),
  keywords: textEdit(t`Keywords`, ({ details }) => details.keywords.join(', '), readKeywords),
  language: optionalEdit(t`Language`, ({ details }) => details.language),
  rating: optionalEdit(t`Rating`, ({ details }) => details.rating?.id ?? null),
  categories: choicesEdit(t`Categories`, ({ details }) => details.categories.edges.map(({ node }) => node.id)),
  genres: choicesEdit(t`Genres`, ({ details }) => details.genres.edges.map(({ node }) => node.id)),
};

/** The form for title, description, categories and rating. */
export function DetailsForm({ content, taxonomy, onSaved }: Properties) {
  const { metadata, details } = content;
  const unsaved = useUnsaved();
  const { id } = content;
  const form = useEditForm({
    fields: FIELDS,
    edited: content,
    send: (input: ContentInput) => api(UpdateContent, { id, input }),
    load: async () => (await api(StudioContentDetails, { id })).content ?? null,
    onSaved: () => {
      unsaved.keep();
      onSaved();
    },
  });
  return (
    <Panel title={t`Details`}>
      <form
        ref={unsaved.ref}
        onSubmit={form.onSubmit}
        onChange={() => {
          form.onChange();
          unsaved.check();
        }}
        className="space-y-4"
      >
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField
          label={t`Title`}
          name="title"
          required
          defaultValue={metadata.title}
          error={form.fieldError('title')}
        />
        <TextArea
          label={t`Description`}
          name="summary"
          rows={5}
          defaultValue={metadata.summary}
          error={form.fieldError('summary')}
        />
        <TextField
          label={t`Keywords`}
          name="keywords"
          defaultValue={details.keywords.join(', ')}
          hint={t`Search terms, separated by commas.`}
          error={form.fieldError('keywords')}
        />
        <LanguageAndRating details={details} ratings={taxonomy.ratings} form={form} />
        <TaxonomyPicker name="categories" label={t`Categories`} all={taxonomy.categories} chosen={details.categories} />
        <TaxonomyPicker name="genres" label={t`Genres`} all={taxonomy.genres} chosen={details.genres} />
        <EditBar busy={form.busy} saved={form.saved} isDirty={unsaved.isDirty} onDiscard={unsaved.discard} />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}

interface SelectProperties {
  readonly details: EditedContent['details'];
  readonly ratings: TaxonomyResult['ratings'];
  readonly form: Pick<ReturnType<typeof useForm>, 'fieldError'>;
}

function LanguageAndRating({ details, ratings, form }: SelectProperties) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={t`Language`}
        name="language"
        defaultValue={details.language ?? ''}
        error={form.fieldError('language')}
      >
        <option value="">{t`Not specified`}</option>
        {languageChoices(details.language).map(([tag, name]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Rating`}
        name="rating"
        defaultValue={details.rating?.id ?? ''}
        error={form.fieldError('rating')}
      >
        <option value="">{t`Not rated`}</option>
        {ratings.edges.map(({ node }) => (
          <option key={node.id} value={node.id} title={node.description}>
            {node.code} ({node.system.replace('_', ' ')})
          </option>
        ))}
      </SelectField>
    </div>
  );
}
