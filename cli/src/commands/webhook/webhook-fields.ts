import type { Webhook } from '../../../../clients/typescript/src/index.ts';
import type { CommandContext } from '../../context.ts';
import { CliError, EXIT } from '../../errors.ts';
import type { Terminal } from '../../terminal.ts';

/** What the lists select of a webhook: everything but its secret. */
export const WEBHOOK = `id url events order description isEnabled disabledReason failingSince formerSecretUntil
  createdAt channel { id handle }`;
const ONE = `query CliWebhook($id: DID!) { node(id: $id) { ... on Webhook { ${WEBHOOK} secret } } }`;

export type ListedWebhook = Omit<Webhook, 'channel' | 'secret'> & {
  readonly channel: { readonly id: string; readonly handle: string };
};

/** One webhook with its secret. */
export async function readWebhook(
  context: CommandContext,
  id: string,
): Promise<ListedWebhook & { readonly secret: string }> {
  if (!id.includes(':webhook/')) throw notFound(id);
  const client = await context.client();
  type Data = { readonly node: (ListedWebhook & { readonly secret: string }) | Record<string, never> | null };
  const { node } = await client.request<Data>(ONE, { id }, { signal: context.signal });
  if (node?.url !== undefined) return node as ListedWebhook & { readonly secret: string }; // other types have no fields
  throw notFound(id);
}

/** The error for an identifier that is not that of a webhook. */
export function notFound(id: string): CliError {
  return new CliError(`${id} is not a webhook of yours.`, 'Name one of `reelgraph webhook list`.', EXIT.notFound);
}

/** Whether it sends, in a word or two. */
export function stateOf(out: Terminal, { isEnabled, disabledReason, failingSince }: ListedWebhook): string {
  const reason = disabledReason === null || disabledReason === 'OWNER' ? '' : `: ${disabledReason.toLowerCase()}`;
  if (!isEnabled) return out.style('red', `disabled${reason}`);
  return failingSince === null ? out.style('green', 'enabled') : out.style('yellow', 'failing');
}
