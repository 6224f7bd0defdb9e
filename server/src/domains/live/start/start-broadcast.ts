import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { ownLiveInput } from '../inputs/live-input-commands.ts';
import { requestStart } from './start.store.ts';

/** Makes what a live input receives live, where it waits for that. Returns the id of the input. */
export async function startBroadcast(context: CommandContext, { id }: { readonly id: string }): Promise<string> {
  const found = await ownLiveInput(context, id);
  const state = await requestStart(context.services.live.db, found.id, context.nowIso);
  if (state === 'STARTED') return found.id;
  throw new AppError(
    'INVALID_INPUT',
    state === 'LIVE' ? t`This live input is live already.` : t`No encoder is connected to this live input.`,
    {
      field: 'id',
      suggestedFix:
        state === 'LIVE'
          ? t`endBroadcast ends what it broadcasts.`
          : t`Start the encoder first; LiveInput.state is CONNECTED then.`,
    },
  );
}
