import type { StatementCommand } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Policy } from '../../../kernel/policy.ts';
import { CHANNEL_CHANGE, type ChannelAuthority } from '../../channels/index.ts';
import { firstStatus } from '../publication/lifecycle.ts';
import { readDetails, type TaxonomyInput } from '../taxonomy/content-details.ts';
import { TERMS_EXIST } from '../taxonomy/taxonomy-terms.policy.ts';
import type { MissingTerm } from '../taxonomy/taxonomy-terms.store.ts';
import { createContentWrites, NEW_CONTENT_TARGET, type NewContent } from './content-commands.store.ts';
import { type ContentLayout, type ContentTexts, type ContentType, readNewContentTexts, type Visibility } from './content-input.ts';

type Maybe<T> = T | null | undefined;

export interface CreateContentArgs {
  readonly channel?: Maybe<string>;
  readonly input: ContentTexts &
    TaxonomyInput & {
      readonly contentType?: Maybe<ContentType>;
      readonly visibility?: Maybe<Visibility>;
      readonly layout?: Maybe<ContentLayout>;
      readonly note?: Maybe<string>;
    };
}

/** Who may create contents in a channel. */
export const CONTENT_CREATION: Policy<ChannelAuthority & { readonly missingTerm: MissingTerm }> = {
  ...CHANNEL_CHANGE,
  requires: [...CHANNEL_CHANGE.requires, TERMS_EXIST],
};

/** Creates a content of the given kind, in the given channel or the account's own. One round trip. */
function createContentOf(kindOf: (args: CreateContentArgs) => ContentKind): StatementCommand<CreateContentArgs, NewContent> {
  return {
    prepare(args, env) {
      const { channel, input } = args;
      const kind = kindOf(args);
      return {
        id: newId<'content'>(env.nowMs),
        channel: channel == null ? null : env.parseDid(channel, ['channel'], 'channel').id,
        kind,
        status: firstStatus(kind),
        ...readNewContentTexts(input),
        ...readDetails(env, kind, input),
        visibility: input.visibility ?? 'PUBLIC',
        layout: input.layout ?? (kind === 'SHORT' ? 'PORTRAIT' : 'LANDSCAPE'),
      };
    },
    payload: (input) => input.id,
    target: NEW_CONTENT_TARGET,
    policy: CONTENT_CREATION,
    writes: createContentWrites,
    row: 'changed',
  };
}

export const createContent = createContentOf(({ input }) => input.contentType ?? 'FEATURE');
export const createSerie = createContentOf(() => 'SERIE');
export const createMiniserie = createContentOf(() => 'MINISERIE');
export const createStream = createContentOf(() => 'STREAM');
