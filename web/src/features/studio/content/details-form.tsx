import {
  type ContentInput,
  StudioContentDetails,
  type StudioContentDetailsResult,
  type TaxonomyResult,
  UpdateContent,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { byName } from '../../../lib/by-name.ts';
import { choicesEdit, type EditFields, optionalEdit, textEdit } from '../../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../../lib/edits/use-edit-form.ts';
import { locale, t } from '../../../lib/i18n.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EditBar } from '../form/edit-bar.tsx';
import { useUnsaved } from '../form/use-unsaved.ts';
import { readKeywords } from './keywords.ts';
import { languageChoices } from './languages.ts';

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
            {taxonomy.ratings.edges.map(({ node }) => (
              <option key={node.id} value={node.id} title={node.description}>
                {node.code} ({node.system.replace('_', ' ')})
              </option>
            ))}
          </SelectField>
        </div>
        <TaxonomyPicker name="categories" label={t`Categories`} all={taxonomy.categories} chosen={details.categories} />
        <TaxonomyPicker name="genres" label={t`Genres`} all={taxonomy.genres} chosen={details.genres} />
        <EditBar busy={form.busy} saved={form.saved} isDirty={unsaved.isDirty} onDiscard={unsaved.discard} />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}

const listed = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

interface TaxonomyPickerProperties {
  readonly name: string;
  readonly label: string;
  readonly all: TaxonomyResult['categories'];
  readonly chosen: EditedContent['details']['categories'];
}

/** A collapsible list of checkboxes; the summary lists the selected names. */
function TaxonomyPicker({ name, label, all, chosen }: TaxonomyPickerProperties) {
  const ids = new Set(chosen.edges.map(({ node }) => node.id));
  const choices = byName(all.edges);
  const names = choices.filter(({ id }) => ids.has(id)).map(({ name }) => name);
  return (
    <details className="rounded-lg border border-line-strong bg-ink">
      <summary className="px-3 py-2.5">
        <span className="font-semibold">{label}</span>{' '}
        <span className="text-muted">{listed.format(names) || t`None`}</span>
      </summary>
      <fieldset className="grid gap-2 border-t border-line p-3 sm:grid-cols-2 xl:grid-cols-3">
        <legend className="sr-only">{label}</legend>
        {choices.map((choice) => (
          <label key={choice.id} className="flex items-center gap-2.5">
            <input
              type="checkbox"
              name={name}
              value={choice.id}
              defaultChecked={ids.has(choice.id)}
              className="size-4 accent-accent"
            />
            {choice.name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
