import { readNew, refuseRevision, type StatementCommand } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { Policy } from '../../../kernel/policy.ts';
import { CHANNEL_CHANGE, type ChannelAuthority } from '../../channels/index.ts';
import { TERMS_EXIST } from '../taxonomy/taxonomy-terms.policy.ts';
import type { MissingTerm } from '../taxonomy/taxonomy-terms.store.ts';
import { createContentWrites, NEW_CONTENT_TARGET, type NewContent } from './content-commands.store.ts';
import { CONTENT_FIELDS, checkFieldsOfKind } from './content-fields.ts';
import { newKindOf } from './content-input.ts';
import { type GivenContentInput, type ReadContentInput, withContentInput } from './content-metadata-input.ts';
import { firstStatus } from './lifecycle.ts';

export interface CreateContentArgs {
  readonly channel?: Maybe<string>;
  readonly input: GivenContentInput;
}

/** Who may create contents in a channel. */
export const CONTENT_CREATION: Policy<ChannelAuthority & { readonly missingTerm: MissingTerm }> = {
  ...CHANNEL_CHANGE,
  requires: [...CHANNEL_CHANGE.requires, TERMS_EXIST],
};

/** Creates a content of the given kind, in the given channel or the account's own. One round trip. */
function createContentOf(
  kindOf: (input: ReadContentInput) => ContentKind,
  field = 'channel',
): StatementCommand<CreateContentArgs, NewContent> {
  return {
    prepare({ channel, input: given }, env) {
      refuseRevision(given);
      return withContentInput(given, env, (input) => {
        const kind = kindOf(input);
        checkFieldsOfKind(kind, input);
        return {
          id: newId<'content'>(env.nowMs),
          channel: channel == null ? null : env.parseDid(channel, ['channel'], field).id,
          kind,
          status: firstStatus(kind),
          values: readNew(
            CONTENT_FIELDS,
            { ...input, layout: input.layout ?? (kind === 'SHORT' ? 'PORTRAIT' : 'LANDSCAPE') },
            env,
          ),
        };
      });
    },
    payload: (input) => input.id,
    target: { ...NEW_CONTENT_TARGET, field },
    policy: CONTENT_CREATION,
    writes: createContentWrites,
    row: 'changed',
  };
}

export const createContent = createContentOf(({ contentType }) => newKindOf(contentType));
export const createSeries = createIn('SERIES');
export const createMiniseries = createIn('MINISERIES');
export const createStream = createIn('STREAM');

/** As above, with the channel in the input. */
function createIn(
  kind: ContentKind,
): StatementCommand<{ readonly input: GivenContentInput & { readonly channel?: Maybe<string> } }, NewContent> {
  const command = createContentOf(() => kind, 'input.channel');
  return { ...command, prepare: ({ input: { channel, ...input } }, env) => command.prepare({ channel, input }, env) };
}
