import type { RunEnv, StatementCommand } from '../../gql/index.ts';
import { CONTENT_DID_KINDS, contentKindOf } from '../../kernel/content-kinds.ts';
import { AppError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { judgeChannelChange, readChannelAuthority } from '../channels/index.ts';
import { judgeContentAction, readContentFacts } from './content.policy.ts';
import {
  CHANNEL_FACTS,
  CONTENT_FACTS,
  type ContentChanges,
  type ContentTarget,
  createContentCtes,
  type NewContent,
  type Publication,
  publishContentCtes,
  unpublishContentCtes,
  updateContentCtes,
} from './content-commands.store.ts';
import {
  type ContentLayout,
  type ContentTexts,
  type ContentType,
  readContentTexts,
  readNewContentTexts,
  readRelease,
  type Visibility,
} from './content-input.ts';
import type { ContentAction } from './lifecycle.ts';

type Maybe<T> = T | null | undefined;

/** The content a DID names. Throws INVALID_INPUT with `field` for anything but a content of this service. */
export function readContentId(env: RunEnv, value: unknown, field: string): ContentTarget {
  const { kind, id } = env.parseDid(value, CONTENT_DID_KINDS, field);
  return { id, kind: contentKindOf(kind) };
}

/** The parts of a command on an existing content that are the same for all. */
function onContent<Input extends ContentTarget>(
  action: ContentAction,
): Pick<StatementCommand<never, Input>, 'payload' | 'row' | 'returns' | 'check'> {
  return {
    payload: (input) => input.id,
    row: 'changed',
    returns: () => CONTENT_FACTS,
    check(outcome) {
      const refused = judgeContentAction(action, readContentFacts(outcome), 'id');
      if (refused) throw refused;
    },
  };
}

export interface CreateContentArgs {
  readonly channel?: Maybe<string>;
  readonly input: ContentTexts & {
    readonly contentType?: Maybe<ContentType>;
    readonly visibility?: Maybe<Visibility>;
    readonly layout?: Maybe<ContentLayout>;
  };
}

/** Makes a draft in the given channel, or in the account's own. One round trip. */
export const createContent: StatementCommand<CreateContentArgs, NewContent> = {
  prepare({ channel, input }, env) {
    const kind = input.contentType ?? 'FEATURE';
    return {
      id: newId<'content'>(env.nowMs),
      channel: channel == null ? null : env.parseDid(channel, ['channel'], 'channel').id,
      kind,
      ...readNewContentTexts(input),
      visibility: input.visibility ?? 'PUBLIC',
      layout: input.layout ?? (kind === 'SHORT' ? 'PORTRAIT' : 'LANDSCAPE'),
    };
  },
  payload: (input) => input.id,
  ctes: createContentCtes,
  row: 'changed',
  returns: () => CHANNEL_FACTS,
  check(outcome) {
    const refused = judgeChannelChange(readChannelAuthority(outcome), 'channel');
    if (refused) throw refused;
  },
};

export interface UpdateContentArgs {
  readonly id: string;
  readonly input: ContentTexts & { readonly visibility?: Maybe<Visibility>; readonly layout?: Maybe<ContentLayout> };
}

/** Changes the metadata of an own content. One round trip. */
export const updateContent: StatementCommand<UpdateContentArgs, ContentChanges> = {
  ...onContent('update'),
  prepare: ({ id, input }, env) => ({
    ...readContentId(env, id, 'id'),
    ...readContentTexts(input),
    visibility: input.visibility ?? null,
    layout: input.layout ?? null,
  }),
  ctes: updateContentCtes,
};

/** Publishes an own content that is ready, at once or at `releaseDate`. One round trip; repeating it changes nothing. */
export const publishContent: StatementCommand<{ readonly id: string; readonly releaseDate?: Maybe<string> }, Publication> = {
  ...onContent('publish'),
  prepare: ({ id, releaseDate }, env) => ({
    ...readContentId(env, id, 'id'),
    ...readRelease(instant(releaseDate), env.nowMs, 'releaseDate'),
  }),
  ctes: publishContentCtes,
  check(outcome, input) {
    const facts = readContentFacts(outcome);
    const refused = judgeContentAction('publish', facts, 'id');
    if (refused) throw refused;
    if (facts?.status === 'PUBLISHED' && input.inFuture) {
      throw new AppError('INVALID_INPUT', 'This content is published already; a release date to come makes no sense for it.', {
        field: 'releaseDate',
        suggestedFix: 'Leave releaseDate out, or call unpublishContent first.',
      });
    }
  },
};

/** Takes an own content back from the public, or cancels its planned publication. One round trip. */
export const unpublishContent: StatementCommand<{ readonly id: string }, ContentTarget> = {
  ...onContent('unpublish'),
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  ctes: unpublishContentCtes,
};

/** Unix milliseconds of a DateTime argument. */
export function instant(value: Maybe<string>): number | null {
  return value == null ? null : Date.parse(value);
}
