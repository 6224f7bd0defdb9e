import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { printSchema } from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import { Graph } from '../graph.ts';
import { changeInputFields, newInputFields, outputFields } from './declare-fields.ts';
import { booleanField, type EntityField, enumField, textField, urlField } from './entity-field.ts';
import { readChanges, readNew } from './read-fields.ts';
import { assignments, insertion, NumberedPlaceholders } from './store-fields.ts';

const tag: EntityField<string, string | null> = {
  column: 'tag',
  sqlType: 'citext',
  type: 'String',
  description: 'Tag; null without one.',
  inputDescription: 'Tag.',
  read: (value) => value.toLowerCase() || null,
  empty: null,
};
const owner: EntityField<string, number, { readonly ids: Readonly<Record<string, number>> }> = {
  column: null,
  sqlType: 'integer',
  type: 'DID',
  description: 'Owner.',
  inputDescription: 'Identifier of the owner.',
  read: (value, _, { ids }) => ids[value] ?? 0,
};
const FIELDS = {
  title: textField({ column: 'title', label: 'Title', maxLength: 5, required: true, description: 'Title.' }),
  note: textField({ column: 'note_text', label: 'Note', maxLength: 9, multiline: true, description: 'Note.' }),
  tag,
  colour: enumField<'RED' | 'BLUE'>({ column: 'colour', type: 'Colour', description: 'Colour.', initial: 'RED' }),
  open: booleanField({
    column: 'is_open',
    description: 'Whether it is open.',
    changeDescription: 'Closing it keeps it.',
    initial: false,
  }),
};

const refused = (code: string, field: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && error.field === field;

describe('reading an update', () => {
  it('omits absent fields, clears null fields and reads the rest', () => {
    assert.deepEqual(readChanges(FIELDS, {}), {});
    assert.deepEqual(readChanges(FIELDS, { title: undefined, note: ' a ', tag: 'B' }), { note: 'a', tag: 'b' });
    assert.deepEqual(readChanges(FIELDS, { note: null, tag: null }), { note: '', tag: null });
  });

  for (const name of ['title', 'colour', 'open'] as const) {
    it(`refuses null for ${name}`, () => {
      assert.throws(() => readChanges(FIELDS, { [name]: null }), refused('FIELD_REQUIRED', `input.${name}`));
    });
  }

  it('names the invalid field', () => {
    assert.throws(() => readChanges(FIELDS, { note: 'x'.repeat(10) }), refused('INVALID_INPUT', 'input.note'));
    assert.throws(() => readChanges(FIELDS, { title: ' ' }), refused('FIELD_REQUIRED', 'input.title'));
  });

  it('stores a normalized URL, and null for null', () => {
    const fields = { site: urlField({ column: 'site', label: 'Site', description: 'Site.' }) };
    assert.deepEqual(readChanges(fields, { site: ' HTTPS://Example.com ' }), { site: 'https://example.com/' });
    assert.deepEqual(readChanges(fields, { site: null }), { site: null });
    assert.throws(() => readChanges(fields, { site: 'javascript:alert(1)' }), refused('INVALID_INPUT', 'input.site'));
  });

  it('passes the environment to readers', () => {
    assert.deepEqual(readChanges({ owner }, { owner: 'a' }, { ids: { a: 7 } }), { owner: 7 });
  });
});

describe('reading a new row', () => {
  it('uses initial values for absent and null fields', () => {
    assert.deepEqual(readNew(FIELDS, { title: 'a', colour: null }), {
      title: 'a',
      note: '',
      tag: null,
      colour: 'RED',
      open: false,
    });
    assert.deepEqual(readNew(FIELDS, { title: 'a', note: 'b', tag: 'C', colour: 'BLUE', open: true }), {
      title: 'a',
      note: 'b',
      tag: 'c',
      colour: 'BLUE',
      open: true,
    });
  });

  it('refuses a missing value without an initial one', () => {
    for (const title of [undefined, null])
      assert.throws(() => readNew(FIELDS, { title }), refused('FIELD_REQUIRED', 'input.title'));
  });
});

describe('the SQL of fields', () => {
  it('keeps absent columns with the same text for every update; only nullable ones need a flag', () => {
    const placeholders = new NumberedPlaceholders<{ readonly [Name in keyof typeof FIELDS]?: never }>(3);
    const text = assignments(placeholders, { title: FIELDS.title, tag, owner }, 't', (changes) => changes);
    assert.equal(
      text,
      'title = coalesce($3::text, t.title), tag = case when $5::boolean then $4::citext else t.tag end',
    );
    assert.deepEqual(placeholders.values({}), [null, null, false]);
    assert.deepEqual(placeholders.values(readChanges(FIELDS, { title: 'a', tag: null }) as never), ['a', null, true]);
  });

  it('leaves out what a statement for one input does not give', () => {
    const assigned = (changes: object) => {
      const s = {
        value: () => '$1',
        isGiven: (read: (changes: never) => unknown) => read(changes as never) !== undefined,
      };
      return assignments(s, { title: FIELDS.title, tag, owner }, 't', (given: never) => given);
    };
    assert.equal(assigned({ title: 'a' }), 'title = coalesce($1, t.title)');
    assert.equal(assigned({ tag: null }), 'tag = case when $1 then $1 else t.tag end');
    assert.equal(assigned({}), 'title = coalesce($1, t.title)');
  });

  it('inserts columns and values in the same order', () => {
    const placeholders = new NumberedPlaceholders<ReturnType<typeof readNew<typeof FIELDS>>>(2);
    const { columns, values } = insertion(placeholders, FIELDS, (row) => row);
    assert.equal(columns, 'title, note_text, tag, colour, is_open');
    assert.equal(values, '$2::text, $3::text, $4::citext, $5::text, $6::boolean');
    assert.deepEqual(placeholders.values(readNew(FIELDS, { title: 'a', open: true })), ['a', '', null, 'RED', true]);
  });
});

describe('the schema of fields', () => {
  it('declares outputs and inputs, with limits, initial values and the meaning of null', () => {
    const graph = new Graph();
    const of = (description: string) => ({ description });
    graph.builder.enumType('Colour', { description: 'A colour.', values: { RED: of('Red.'), BLUE: of('Blue.') } });
    const Thing = graph.entity('Thing', {
      description: 'A thing.',
      table: 'things',
      fields: (f) => outputFields(f, FIELDS),
    });
    const New = graph.builder.inputType('New', { description: 'New.', fields: (t) => newInputFields(t, FIELDS) });
    const Change = graph.builder.inputType('Change', {
      description: 'Change.',
      fields: (t) => changeInputFields(t, FIELDS),
    });
    graph.queryOne('thing', {
      access: 'public',
      type: Thing,
      description: 'A thing.',
      on: () => 'true',
      missing: 'null',
    });
    graph.queryResolve('read', {
      access: 'public',
      type: 'Boolean',
      description: 'Reads.',
      args: (t) => ({
        a: t.field({ type: New, description: 'New.' }),
        b: t.field({ type: Change, description: 'Change.' }),
      }),
      resolve: (_, { a, b }) => readNew(FIELDS, a ?? {}).title === readChanges(FIELDS, b ?? {}).title,
    });
    const sdl = printSchema(graph.schema());
    assert.ok(
      sdl.includes(`type Thing {
  """Colour."""
  colour: Colour!

  """Note."""
  note: String!

  """Whether it is open."""
  open: Boolean!

  """Tag; null without one."""
  tag: String

  """Title."""
  title: String!
}`),
      sdl,
    );
    assert.ok(
      sdl.includes(`input New {
  """Colour; default RED."""
  colour: Colour

  """Note, at most 9 characters; line breaks are kept."""
  note: String

  """Whether it is open; default false."""
  open: Boolean

  """Tag."""
  tag: String

  """Title, 1 to 5 characters."""
  title: String!
}`),
      sdl,
    );
    assert.match(sdl, /"""Whether it is open. Closing it keeps it."""\n {2}open: Boolean\n/);
    assert.match(sdl, /input Change \{[^}]*title: String\n/);
  });
});
