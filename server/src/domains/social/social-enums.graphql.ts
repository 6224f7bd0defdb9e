import type { Graph } from '../../gql/index.ts';
import type { CommentMode, HoldReason } from './comments/hold-rules.ts';
import type { ReportReason } from './moderation/report-reasons.ts';

const COMMENT_MODES: Readonly<Record<CommentMode, string>> = {
  ENABLED: 'Everyone who may watch it; comments are visible at once.',
  HOLD_ALL: 'Everyone who may watch it; comments are held for review.',
  MEMBERS_ONLY: 'Members of its channel.',
  DISABLED: 'No one. Earlier comments stay.',
};
const HOLD_REASONS: Readonly<Record<HoldReason, string>> = {
  ALL: 'All comments on the content are held.',
  BLOCKED_WORD: 'It contains a word that the channel blocks.',
  LINK: 'It contains a link, and the channel holds those.',
  MODERATOR: 'A moderator held it.',
};
const REPORT_REASONS: Readonly<Record<ReportReason, string>> = {
  SPAM: 'Spam, repetition or deception.',
  HARASSMENT: 'Harassment, insults or threats.',
  HATE: 'Hate against people for who they are.',
  VIOLENCE: 'Violence, or incitement to it.',
  SEXUAL: 'Sexual content.',
  MISINFORMATION: 'Harmful misinformation.',
  COPYRIGHT: 'Copyright infringement.',
  OTHER: 'Something else: see the note.',
};
const COMMENT_STATUSES = {
  PUBLISHED: 'Everyone who may watch the content.',
  HELD: 'Its author and the moderators: it is held for review.',
  REJECTED: 'Its author and the moderators: it was rejected.',
  DELETED: 'No one: a placeholder for its replies.',
} as const;
const COMMENT_SORTS = { NEWEST: 'Newest first.', TOP: 'Most likes first.' } as const;
const RESOLUTIONS = { RESOLVED: 'A moderator took action.', DISMISSED: 'A moderator found no violation.' } as const;

/** Declares the enums of comments and of their moderation. */
export function declareSocialEnums({ builder }: Graph) {
  const values = <Name extends string>(help: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(help).map(([name, description]) => [name, { description }])) as Record<
      Name,
      { description: string }
    >; // fromEntries widens the keys
  return {
    CommentMode: builder.enumType('CommentMode', {
      description: 'Who may comment on a content, and whether comments are visible at once.',
      values: values(COMMENT_MODES),
    }),
    CommentSort: builder.enumType('CommentSort', {
      description: 'Order of comments; pinned ones always come first.',
      values: values(COMMENT_SORTS),
    }),
    CommentStatus: builder.enumType('CommentStatus', {
      description: 'Visibility of a comment.',
      values: values(COMMENT_STATUSES),
    }),
    HoldReason: builder.enumType('HoldReason', {
      description: 'Why a comment is held for review.',
      values: values(HOLD_REASONS),
    }),
    ReportReason: builder.enumType('ReportReason', {
      description: 'Reason of a report.',
      values: values(REPORT_REASONS),
    }),
    ReportStatus: builder.enumType('ReportStatus', {
      description: 'State of a report.',
      values: values({ OPEN: 'It is open.', ...RESOLUTIONS }),
    }),
    ReportResolution: builder.enumType('ReportResolution', {
      description: 'Resolution of a report.',
      values: values(RESOLUTIONS),
    }),
  };
}

export type SocialEnums = ReturnType<typeof declareSocialEnums>;
