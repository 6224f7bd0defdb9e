import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Calls that send no revision: where there is nothing that a person could have missed. */
const WITHOUT_REVISION: Readonly<Record<string, string>> = {
  // Switches with two values: two people who change one agree.
  'features/account/privacy-panel.tsx UpdateSettings': 'a switch',
  'features/live/simulcast-targets.tsx UpdateSimulcastTarget': 'a switch',
  'features/studio/channel/channel-storage.tsx UpdateChannel': 'a switch',
  'features/studio/channel/enhanced-playback.tsx UpdateChannel': 'a switch',
  'features/studio/channel/more-codecs.tsx UpdateChannel': 'a switch',
  'features/studio/channel/private-playback.tsx UpdateChannel': 'a switch',
  'features/studio/video/captions-panel.tsx UpdateCaptions': 'a switch',
  'features/webhooks/webhook-card.tsx UpdateWebhook': 'a switch',
  // Commands, whose effect does not depend on what was there.
  'features/chat/chat-settings.tsx UpdateChat': 'one choice, whose present value the page follows while it is live',
  'features/language/language.ts SetLanguage': 'the language of the page',
  'features/studio/audience/audience.ts UpdateContent': 'makes private; useSaveAudience compares before a choice',
  'features/studio/table/bulk-audience.tsx UpdateContents': 'one choice for many, whose values are not shown',
  'features/studio/table/bulk-details.tsx UpdateContents': 'one choice for many, whose values are not shown',
  // New objects.
  'features/studio/table/bulk-playlist.tsx CreatePlaylist': 'a new playlist',
  'routes/studio/playlists-page.tsx CreatePlaylist': 'a new playlist',
};

const WEB = new URL('../../', import.meta.url).pathname;
const schema = buildSchema(readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8'));

/** Whether an input takes the revision that it is based on. */
function takesRevision(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  const fields = Object.values(named.getFields());
  return fields.some(({ name, type: inner }) => name === 'ifRevision' || takesRevision(inner));
}

/** The mutations of the web application that edit an object with revisions. */
function editingMutations(): string[] {
  const found = new Set<string>();
  for (const file of globSync('**/*.graphql', { cwd: WEB })) {
    const types = new TypeInfo(schema);
    let operation = '';
    visit(
      parse(readFileSync(WEB + file, 'utf8')),
      visitWithTypeInfo(types, {
        OperationDefinition: ({ name }) => {
          operation = name?.value ?? '';
        },
        Argument: () => {
          const type = types.getArgument()?.type;
          if (type && takesRevision(type)) found.add(operation);
        },
      }),
    );
  }
  return [...found];
}

/** The calls of these operations that are not what an edited form sends (`saveEdits`), with their files. */
function callsOutside(source: string, operations: readonly string[]): string[] {
  const calls = source.matchAll(/(\bsend: (?:async )?\(input: \w+\) =>[^;]*)?\bapi(?:Once)?\((\w+)\b/g);
  return [...calls].flatMap(([, send, name = '']) => (send === undefined && operations.includes(name) ? [name] : []));
}

const SOURCES = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: (path) => path.includes('generated') })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, source: readFileSync(WEB + file, 'utf8') }));

test('forms send what they edit by saveEdits, with its revision', () => {
  const operations = editingMutations();
  assert.ok(operations.length > 12, 'the mutations are found');
  const calls = SOURCES.flatMap(({ file, source }) =>
    callsOutside(source, operations).map((name) => `${file} ${name}`),
  );
  assert.deepEqual([...new Set(calls)].sort(), Object.keys(WITHOUT_REVISION).sort());
});

test('components that may ask about conflicts show the dialog', () => {
  const asks = /\buse(?:EditForm|Edits|SaveAudience|SaveCaptions|Conflict)\(/;
  const components = SOURCES.filter(({ file, source }) => file.endsWith('.tsx') && asks.test(source));
  assert.ok(components.length > 10, 'the components are found');
  const silent = components.filter(({ source }) => !source.includes('<ConflictDialog question='));
  assert.deepEqual(
    silent.map(({ file }) => file),
    [],
  );
});

test('a form that sends by itself is noticed', () => {
  assert.deepEqual(callsOutside('await api(UpdateContent, { id, input });', ['UpdateContent']), ['UpdateContent']);
  const edited = 'send: (input: ContentInput) => api(UpdateContent, { id, input }),';
  assert.deepEqual(callsOutside(edited, ['UpdateContent']), []);
});
