import type { Captions, CaptionsKind, Connection } from '../../../client/src/index.ts';
import { CONTENT_OPERAND, type Command, LIMIT_OPTION } from '../command.ts';
import { CliError } from '../failures.ts';
import { readTextFile } from '../files.ts';

const KINDS: readonly CaptionsKind[] = ['CAPTIONS', 'SUBTITLES', 'DESCRIPTIONS'];

const CONTENT_CAPTIONS = `query CliCaptions($id: DID!, $first: Int, $after: String) { content(id: $id) { captions(first: $first, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id language label kind isDefault isEmbedded createdAt vtt srt } }
} } }`;

const list: Command = {
  name: 'captions list',
  about: 'List the captions of a content',
  operands: [CONTENT_OPERAND],
  options: [LIMIT_OPTION],
  examples: ['reelgraph captions list did:reelgraph:content/feature/0198c5a0-…'],
  async run(call) {
    type Found = { readonly content: { readonly captions: Connection<Captions> } };
    const page = { limit: call.limit(), signal: call.signal };
    const client = await call.client();
    const found = client.paginate<Connection<Captions>, Found>(
      CONTENT_CAPTIONS,
      { id: call.values.first },
      ({ content }) => content.captions,
      page,
    );
    const captions: Captions[] = await found.toArray();
    call.answer({ captions }, (out) =>
      out.table(captions.map(({ id, language, kind, isDefault, label }) => [id, language, kind, isDefault ? 'default' : '', label])),
    );
    if (captions.length === 0) call.remark('There are none.');
  },
};

const add: Command = {
  name: 'captions add',
  about: 'Add captions to a content, from a WebVTT or SubRip file',
  operands: [CONTENT_OPERAND, { name: 'FILE', about: 'The captions', isFile: true }],
  options: [
    { name: 'language', short: 'l', value: 'LANGUAGE', about: 'Language they are in, such as de or pt-BR; needed' },
    { name: 'label', value: 'TEXT', about: 'What viewers choose; the name of the language unless you say otherwise' },
    { name: 'kind', short: 'k', value: 'KIND', choices: KINDS, about: 'What they are for' },
    { name: 'default', about: 'Shown unless viewers choose others' },
  ],
  examples: ['reelgraph captions add did:reelgraph:content/feature/0198c5a0-… film.de.vtt --language de'],
  async run(call) {
    const [id = '', file = ''] = call.values.operands;
    const language = call.values.text('language');
    if (language === undefined) throw new CliError('--language is missing.', 'Say which language the captions are in: --language de.');
    const text = await readTextFile(file);
    const { values } = call;
    const [label, kind, isDefault] = [values.text('label'), values.choice<CaptionsKind>('kind'), values.flag('default')];
    const input = { language, text, label, kind, isDefault };
    const captions = await (await call.client()).createContentCaptions({ id, input }, { signal: call.signal });
    call.answer(captions, (out) => out.line(`${out.style('green', '✔')} added ${captions.label} (${captions.language}): ${captions.id}`));
  },
};

const remove: Command = {
  name: 'captions delete',
  about: 'Delete captions',
  operands: [{ name: 'CAPTIONS', about: 'Identifier of the captions' }],
  options: [],
  examples: ['reelgraph captions delete did:reelgraph:captions/0198c5a0-…'],
  async run(call) {
    const { id } = await (await call.client()).deleteContentCaptions({ id: call.values.first }, { signal: call.signal });
    call.answer({ id }, (out) => out.line(`${out.style('green', '✔')} deleted ${id}`));
  },
};

/** Captions of a content. */
export const CAPTIONS: readonly Command[] = [list, add, remove];
