import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type CommandContext, contextOf } from '../../context.ts';
import { CliError, EXIT } from '../../errors.ts';
import { quantity } from '../../format.ts';
import { examples } from '../../options.ts';
import type { Terminal } from '../../terminal.ts';

interface Variant {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly clickThroughRate: number | null;
  readonly viewersClicked: number;
  readonly chanceToBeBest: number;
}
interface Test {
  readonly id: string;
  readonly state: string;
  readonly explanation: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly variants: { readonly edges: readonly { readonly node: Variant }[] };
}

const TEST = `query CliTest($id: DID!) { content(id: $id) { test {
  id state endReason explanation applyWinner minDays maxDays startedAt endedAt appliedAt
  winner { label } applied { label }
  variants { edges { node { id label title image { id url } impressions clicks clickThroughRate viewersClicked
    lift liftLow liftHigh chanceToBeBest } } } } } }`;

function days(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Write a number of days, as 14.');
}

/** Tests of titles and images: starts, shows, stops and applies. */
export const contentTest = new Command('test')
  .description('Test titles and images of a content on its viewers; without options, show the latest test')
  .argument('<CONTENT>', 'Identifier of a content')
  .option('--title-b <TITLE>', 'Start a test: title of the second version')
  .option('--image-b <IMAGE>', 'Start a test: identifier of an image of the content for it')
  .option('--title-c <TITLE>', 'Title of a third version')
  .option('--image-c <IMAGE>', 'Image of a third version')
  .option('--days <DAYS>', 'End the test after so many days', days)
  .option('--apply-winner', 'Give the content the title and image of the winner')
  .option('--stop', 'Stop the running test')
  .option('--apply <VERSION>', 'Give the content a version of the latest test: A, B or C')
  .addHelpText(
    'after',
    examples(
      "reelgraph content test did:reelgraph:content/feature/0198c5a0-… --title-b 'Cats in slow motion' --days 7",
      'reelgraph content test did:reelgraph:content/feature/0198c5a0-…',
      'reelgraph content test did:reelgraph:content/feature/0198c5a0-… --apply B',
    ),
  )
  .action(async (id, options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const request = { signal: context.signal };
    const variants = [
      { title: options.titleB ?? null, imageId: options.imageB ?? null },
      { title: options.titleC ?? null, imageId: options.imageC ?? null },
    ].filter(({ title, imageId }) => title !== null || imageId !== null);
    if (options.apply !== undefined) return applyVersion(context, id, options.apply.toUpperCase());
    if (options.stop) await client.stopContentTest({ id }, request);
    else if (variants.length > 0) {
      const { applyWinner = false, days: maxDays = null } = options;
      await client.startContentTest({ id, input: { variants, applyWinner, maxDays } }, request);
    }
    const test = await testOf(context, id);
    context.result(test, (out) => print(test, out));
  });

async function applyVersion(context: CommandContext, id: string, label: string): Promise<void> {
  const client = await context.client();
  const variant = (await testOf(context, id)).variants.edges.find(({ node }) => node.label === label)?.node;
  if (!variant) throw new CliError(`The test has no version ${label}.`, 'Name A, B or C.', EXIT.usage);
  const { content } = await client.applyContentTestVariant(
    { id, input: { variant: variant.id } },
    { signal: context.signal },
  );
  context.result(content, (out) => out.line(`${out.style('green', '✔')} ${label} is used: ${variant.title}`));
}

async function testOf(context: CommandContext, id: string): Promise<Test> {
  const client = await context.client();
  const data = await client.request<{ content: { test: Test | null } | null }>(
    TEST,
    { id },
    { signal: context.signal },
  );
  if (data.content?.test) return data.content.test;
  throw new CliError(
    'No test is visible to you.',
    'Name a content of a channel you are a member of, and start a test with --title-b or --image-b.',
    EXIT.notFound,
  );
}

function print({ explanation, startedAt, endedAt, variants }: Test, out: Terminal): void {
  out.properties([
    ['result', out.style('bold', explanation)],
    ['started', startedAt],
    ['ended', endedAt],
  ]);
  const rows = variants.edges.map(({ node }) => [
    node.label,
    node.clickThroughRate === null ? '–' : `${(100 * node.clickThroughRate).toFixed(1)} %`,
    `${quantity(node.impressions)} impressions`,
    `${quantity(node.clicks)} clicks by ${quantity(node.viewersClicked)} viewers`,
    `best with ${Math.round(100 * node.chanceToBeBest)} %`,
    node.title,
  ]);
  out.table(rows);
}
