import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../api.ts';
import {
  checkEdit,
  choicesEdit,
  conflictsOf,
  differing,
  type EditFields,
  inputOf,
  optionalEdit,
  textEdit,
} from './edit-fields.ts';
import { baseOf, saveEdits } from './save-edits.ts';

interface Video {
  readonly revision: number;
  readonly title: string;
  readonly summary: string;
  readonly language: string | null;
  readonly tags: readonly string[];
  readonly isOpen: boolean;
}

const FIELDS: EditFields<Video> = {
  title: textEdit('Title', ({ title }) => title),
  summary: textEdit('Description', ({ summary }) => summary),
  language: optionalEdit('Language', ({ language }) => language),
  tags: choicesEdit('Tags', ({ tags }) => tags),
  isOpen: checkEdit('Open', ({ isOpen }) => isOpen),
};
const VIDEO: Video = { revision: 3, title: 'A', summary: 'B', language: null, tags: ['x', 'y'], isOpen: false };
const { shown } = baseOf(FIELDS, VIDEO);

describe('the fields of a form', () => {
  it('show an object, and read what was changed only', () => {
    assert.deepEqual(shown, { title: ['A'], summary: ['B'], language: [''], tags: ['x', 'y'], isOpen: [] });
    const mine = { ...shown, title: [' C '], language: [''], tags: ['y', 'x'], isOpen: ['on'] };
    assert.deepEqual(differing(mine, shown), ['title', 'isOpen']);
    assert.deepEqual(inputOf(FIELDS, mine, ['title', 'language', 'isOpen']), {
      title: 'C',
      language: null,
      isOpen: true,
    });
  });

  it('are in conflict where both sides have changed them, each to another value', () => {
    const mine = { ...shown, title: ['Mine'], summary: ['Both'], language: ['de'] };
    const theirs = { ...shown, title: ['Theirs'], summary: ['Both'], tags: ['x'] };
    assert.deepEqual(conflictsOf(shown, mine, theirs), [{ name: 'title', mine: ['Mine'], theirs: ['Theirs'] }]);
  });
});

/** A form, and an object that somebody else changes before the first save. */
function scene(mine: Partial<Video>, theirs: Partial<Video>, answer: readonly string[] | null = []) {
  let form = baseOf(FIELDS, { ...VIDEO, ...mine }).shown;
  let stored: Video = { ...VIDEO, ...theirs, revision: Object.keys(theirs).length > 0 ? 4 : 3 };
  const sent: unknown[] = [];
  const asked: string[] = [];
  const save = () =>
    saveEdits({
      fields: FIELDS,
      base: baseOf(FIELDS, VIDEO),
      mine: () => form,
      load: async () => stored,
      ask: async (conflicts) => {
        asked.push(...conflicts.map(({ name }) => name));
        return answer && new Set(answer);
      },
      show: (values) => {
        form = { ...form, ...values };
      },
      send: async ({ ifRevision, ...input }: Partial<Video> & { readonly ifRevision: number }) => {
        sent.push({ ifRevision, ...input });
        if (ifRevision !== stored.revision)
          throw new ApiError({
            message: 'It was changed.',
            extensions: { code: 'CONFLICT', field: 'input.ifRevision' },
          });
        stored = { ...stored, ...input, revision: stored.revision + 1 };
      },
    });
  return { save, sent, asked, form: () => form, stored: () => stored };
}

describe('saving', () => {
  it('sends nothing when nothing was changed', async () => {
    const { save, sent } = scene({}, { title: 'Theirs' });
    assert.equal((await save())?.revision, 3);
    assert.deepEqual(sent, []);
  });

  it('sends what was changed, with the revision', async () => {
    const { save, sent, stored } = scene({ title: 'Mine' }, {});
    assert.equal((await save())?.revision, 4);
    assert.deepEqual(sent, [{ ifRevision: 3, title: 'Mine' }]);
    assert.equal(stored().title, 'Mine');
  });

  it('merges what only one side has changed, without a question', async () => {
    const { save, sent, asked, form, stored } = scene({ summary: 'Mine' }, { title: 'Theirs' });
    assert.equal((await save())?.revision, 5);
    assert.deepEqual(sent, [
      { ifRevision: 3, summary: 'Mine' },
      { ifRevision: 4, summary: 'Mine' },
    ]);
    assert.deepEqual([asked, stored().title, stored().summary, form()['title']], [[], 'Theirs', 'Mine', ['Theirs']]);
  });

  it('asks about a field that both have changed: mine', async () => {
    const { save, asked, stored } = scene({ title: 'Mine', summary: 'Mine' }, { title: 'Theirs' });
    assert.equal((await save())?.revision, 5);
    assert.deepEqual([asked, stored().title, stored().summary], [['title'], 'Mine', 'Mine']);
  });

  it('asks about a field that both have changed: theirs', async () => {
    const { save, sent, form, stored } = scene({ title: 'Mine', summary: 'Mine' }, { title: 'Theirs' }, ['title']);
    assert.equal((await save())?.revision, 5);
    assert.deepEqual(sent.at(-1), { ifRevision: 4, summary: 'Mine' });
    assert.deepEqual([form()['title'], stored().title, stored().summary], [['Theirs'], 'Theirs', 'Mine']);
  });

  it('saves nothing when the person goes on editing', async () => {
    const { save, form, stored } = scene({ title: 'Mine' }, { title: 'Theirs' }, null);
    assert.equal(await save(), null);
    assert.deepEqual([form()['title'], stored().title], [['Mine'], 'Theirs']);
  });
});
