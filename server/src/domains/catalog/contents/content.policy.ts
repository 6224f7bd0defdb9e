import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { and, fact, oneOf, or, type Policy, permission, state } from '../../../kernel/policy.ts';
import { roleTooLow } from '../../channels/index.ts';
import { type ContentAction, type ContentStatus, LIFECYCLE, refusal } from './lifecycle.ts';

/** The facts about a content for the policy, as the viewer sees it. */
export interface ContentFacts {
  /** Whether the viewer is a member of the content's channel, in any role. */
  readonly member: boolean;
  /** Whether that role has the required permission. */
  readonly may: boolean;
  /** Whether anyone with the link may watch it: published and not private. */
  readonly open: boolean;
  readonly status: ContentStatus;
}

const isMember = fact<keyof ContentFacts>('member');
const hasTheRole = fact<keyof ContentFacts>('may');
const isOpenToAll = fact<keyof ContentFacts>('open');
/** Members of its channel see it in every state; others only while it is published and not private. */
const maySeeIt = or(isMember, isOpenToAll);

/**
 * Who may change a content: members of its channel whose role allows it. One the viewer may not see has the same error
 * as one that does not exist (RESOURCE_NOT_FOUND), so that private contents cannot be probed; a public one of another
 * channel is UNAUTHORIZED, because its existence is public. `missing` is the error for contents the viewer may not see.
 */
export function contentChange(missing: (field: string) => AppError = contentNotFound): Policy<ContentFacts> {
  return {
    missing,
    requires: [
      permission(maySeeIt, missing),
      permission(hasTheRole, (field, { member }) => (member ? roleTooLow(field) : otherChannelsContent(field))),
    ],
  };
}

export const CONTENT_CHANGE = contentChange();

/** Who may follow what happens to a content before it is published: members of its channel, in any role. */
export const CHANNEL_CONTENT: Policy<ContentFacts> = {
  missing: contentNotFound,
  requires: [permission(maySeeIt, contentNotFound), permission(isMember, otherChannelsContent)],
};

/** Who may act on a content, in the states that allow the action. */
export const CONTENT_ACTIONS: Readonly<Record<ContentAction, Policy<ContentFacts>>> = {
  update: contentAction('update'),
  addImage: contentAction('addImage'),
  addVideo: contentAction('addVideo'),
  replaceVideo: contentAction('replaceVideo'),
  process: contentAction('process'),
  processAgain: contentAction('processAgain'),
  publish: contentAction('publish'),
  publishWhenReady: contentAction('publishWhenReady'),
  unpublish: contentAction('unpublish'),
  delete: contentAction('delete'),
  restore: contentAction('restore'),
  purge: contentAction('purge'),
};

function contentAction(action: ContentAction): Policy<ContentFacts> {
  const possible = state<ContentFacts>(oneOf('status', LIFECYCLE[action].from), (field, { status }) =>
    refusal(action, status, field),
  );
  return { ...CONTENT_CHANGE, requires: [...CONTENT_CHANGE.requires, possible] };
}

/** Who may publish a content: in the states of `publish`, or where `whenReady` is given, in those of that. */
export const PUBLICATION: Policy<ContentFacts & { readonly whenReady: boolean }> = {
  ...CONTENT_CHANGE,
  requires: [
    ...CONTENT_CHANGE.requires,
    state(
      or(
        oneOf('status', LIFECYCLE.publish.from),
        and(fact('whenReady'), oneOf('status', LIFECYCLE.publishWhenReady.from)),
      ),
      (field, { status }) => refusal('publish', status, field),
    ),
  ],
};

function otherChannelsContent(field: string): AppError {
  return new AppError('UNAUTHORIZED', t`This content belongs to another channel.`, {
    field,
    suggestedFix: t`Use the id of a content in one of your channels; me.channel.contents lists them.`,
  });
}

/** INVALID_INPUT for actions that need a video, on a kind without one. Null for kinds that are videos. */
export function checkHasVideo(kind: ContentKind, field: string): AppError | null {
  const { holds } = CONTENT_KINDS[kind];
  if (holds === null) return null;
  const holdsSeasons = holds === 'SEASON';
  const message = holdsSeasons
    ? t`This contains seasons and has no video of its own.`
    : t`This contains episodes and has no video of its own.`;
  return new AppError('INVALID_INPUT', message, {
    field,
    suggestedFix: holdsSeasons
      ? t`Use the id of an episode in one of its seasons; createEpisode creates one.`
      : t`Use the id of one of its episodes; createEpisode creates one.`,
  });
}

/** RESOURCE_NOT_FOUND for a content id given in `field`. */
export function contentNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such content, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; me.channel.contents lists your contents and features the published ones.`,
  });
}
