import type { Client, Content } from '../../../client/src/index.ts';
import type { Call } from '../call.ts';
import type { Command, Option } from '../command.ts';
import { CliError, type Failure, failureOf, Interrupted, Told } from '../failures.ts';
import { tellFailure } from '../print-error.ts';

/** Something that is done to contents. */
interface Change {
  readonly verb: string;
  readonly about: string;
  /** The word for what was done, by the state that came of it. */
  readonly done: (status: string | null) => string;
  readonly options?: readonly Option[];
  /** Does it to one; null when nothing of it is left to be shown. */
  readonly apply: (client: Client, id: string, call: Call) => Promise<Content | null>;
}

/** What became of one content. */
interface Outcome {
  readonly id: string;
  readonly status: string | null;
  readonly title: string | null;
  readonly error: Failure | null;
}

const CHANGES: readonly Change[] = [
  {
    verb: 'publish',
    about: 'Publish contents that are ready, at once or later',
    done: (status) => (status === 'PUBLISHED' ? 'published' : 'scheduled'),
    options: [{ name: 'release', value: 'TIME', about: 'When to publish, such as 2030-01-31T18:00:00Z; at once when left out' }],
    apply: (client, id, { values, signal }) => client.publishContent({ id, releaseDate: values.time('release') }, { signal }),
  },
  {
    verb: 'unpublish',
    about: 'Take contents back from the public',
    done: () => 'unpublished',
    apply: (client, id, { signal }) => client.unpublishContent({ id }, { signal }),
  },
  {
    verb: 'delete',
    about: 'Move contents to the trash, where they stay for 30 days',
    done: () => 'deleted',
    async apply(client, id, { signal }) {
      await client.deleteContent({ id }, { signal });
      return null;
    },
  },
  {
    verb: 'restore',
    about: 'Take contents out of the trash',
    done: () => 'restored',
    apply: (client, id, { signal }) => client.restoreContent({ id }, { signal }),
  },
];

/** Commands that do something to contents, one after the other. */
export const CONTENT_CHANGES: readonly Command[] = CHANGES.map((change) => ({
  name: `content ${change.verb}`,
  about: change.about,
  details: 'One that cannot be changed does not stop those after it.',
  operands: [{ name: 'CONTENT', about: 'Identifiers of contents', isRepeated: true }],
  options: change.options ?? [],
  examples: [`reelgraph content ${change.verb} did:reelgraph:content/feature/0198c5a0-…`],
  run: (call) => changeAll(change, call),
}));

async function changeAll(change: Change, call: Call): Promise<void> {
  const client = await call.client();
  const contents: Outcome[] = [];
  for (const id of call.values.operands) {
    const outcome = await outcomeOf(id, () => change.apply(client, id, call));
    contents.push(outcome);
    if (!call.isJson) tell(call, outcome, change);
  }
  if (call.isJson) call.answer({ contents }, () => {});
  const failed = contents.find(({ error }) => error !== null)?.error;
  if (failed) throw new Told(failed.exitCode);
}

async function outcomeOf(id: string, apply: () => Promise<Content | null>): Promise<Outcome> {
  try {
    const content = await apply();
    return { id, status: content?.status ?? null, title: content?.metadata.title ?? null, error: null };
  } catch (error) {
    if (error instanceof Interrupted || error instanceof CliError) throw error;
    return { id, status: null, title: null, error: failureOf(error) };
  }
}

function tell({ out, err }: Call, { id, status, title, error }: Outcome, { done }: Change): void {
  if (error === null) out.line(`${out.style('green', '✔')} ${done(status)} ${title ?? id}`);
  else tellFailure(err, error, id);
}
