import type { Graph } from '../../gql/index.ts';
import type { CommentMode, HoldReason } from './comments/hold-rules.ts';
import type { ReportReason } from './moderation/report-reasons.ts';

const COMMENT_MODES: Readonly<Record<CommentMode, string>> = {
  ENABLED: 'Everyone who may watch it, at once.',
  HOLD_ALL: 'Everyone who may watch it; comments wait for review.',
  MEMBERS_ONLY: 'The people of its channel.',
  DISABLED: 'Nobody. What was written before stays.',
};
const HOLD_REASONS: Readonly<Record<HoldReason, string>> = {
  ALL: 'All comments on the content are held.',
  BLOCKED_WORD: 'It has a word that the channel blocks.',
  LINK: 'It has a link, and the channel holds those.',
  MODERATOR: 'A moderator held it.',
};
const REPORT_REASONS: Readonly<Record<ReportReason, string>> = {
  SPAM: 'Advertising, repetition or deception.',
  HARASSMENT: 'It insults, threatens or pesters someone.',
  HATE: 'It is against people for what they are.',
  VIOLENCE: 'It shows or calls for violence.',
  SEXUAL: 'It is sexual and does not belong here.',
  MISINFORMATION: 'It is false in a way that does harm.',
  COPYRIGHT: 'It uses the work of others without permission.',
  OTHER: 'Something else: the note says what.',
};
const COMMENT_STATUSES = {
  PUBLISHED: 'Everyone who may watch the content.',
  HELD: 'Its author and the moderators: it waits for review.',
  REJECTED: 'Its author and the moderators, who took it back.',
  DELETED: 'Nobody: an empty place is kept for its answers.',
} as const;
const COMMENT_SORTS = { NEWEST: 'The newest first.', TOP: 'The most liked first.' } as const;
const RESOLUTIONS = { RESOLVED: 'A moderator did something about it.', DISMISSED: 'A moderator found nothing wrong.' } as const;

/** Declares the enums of comments and of their moderation. */
export function declareSocialEnums({ builder }: Graph) {
  const values = <Name extends string>(help: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(help).map(([name, description]) => [name, { description }])) as Record<
      Name,
      { description: string }
    >; // fromEntries widens the keys
  return {
    CommentMode: builder.enumType('CommentMode', {
      description: 'Who may comment on a content, and whether comments appear at once.',
      values: values(COMMENT_MODES),
    }),
    CommentSort: builder.enumType('CommentSort', {
      description: 'Order of comments; what is pinned comes first in each.',
      values: values(COMMENT_SORTS),
    }),
    CommentStatus: builder.enumType('CommentStatus', { description: 'Who sees a comment.', values: values(COMMENT_STATUSES) }),
    HoldReason: builder.enumType('HoldReason', { description: 'Why a comment waits for review.', values: values(HOLD_REASONS) }),
    ReportReason: builder.enumType('ReportReason', { description: 'What is wrong with what is reported.', values: values(REPORT_REASONS) }),
    ReportStatus: builder.enumType('ReportStatus', {
      description: 'Where a report is.',
      values: values({ OPEN: 'No moderator has closed it.', ...RESOLUTIONS }),
    }),
    ReportResolution: builder.enumType('ReportResolution', { description: 'How a report is closed.', values: values(RESOLUTIONS) }),
  };
}

export type SocialEnums = ReturnType<typeof declareSocialEnums>;
