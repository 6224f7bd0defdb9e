import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, not, type Policy, permission, state } from '../../../kernel/policy.ts';
import { roleTooLow } from '../../channels/index.ts';
import { CONTENT_CHANGE, type ContentFacts } from '../contents/content.policy.ts';

/** People that a content is shared with, and links to it. */
export const MAX_SHARES = 100;
export const MAX_SHARE_LINKS = 50;

/** A content that is shared, as the viewer sees it. */
export interface SharedContentFacts extends ContentFacts {
  readonly kind: ContentKind;
  /** Whether it contains seasons or episodes, and no video. */
  readonly container: boolean;
  /** Whether it is in the test channel of an account. */
  readonly test: boolean;
}

/** Who may share a content: whoever may publish it; series are shared by their episodes. */
export const CONTENT_SHARING: Policy<SharedContentFacts> = {
  ...CONTENT_CHANGE,
  requires: [
    ...CONTENT_CHANGE.requires,
    state(not(fact('container')), (field) => {
      return new AppError('INVALID_INPUT', t`Only contents with a video of their own are shared.`, {
        field,
        suggestedFix: t`Share the episodes, each by its id.`,
      });
    }),
    state(not(fact('test')), (field) => {
      return new AppError('INVALID_INPUT', t`Contents of a test channel are for its account alone.`, {
        field,
        suggestedFix: t`Share a content of another channel.`,
      });
    }),
  ],
};

/** Kinds without a video. */
export const isContainer = (kind: ContentKind): boolean => CONTENT_KINDS[kind].holds !== null;

/** A share or link, as the viewer sees it. */
export interface SharingFacts {
  readonly member: boolean;
  readonly may: boolean;
}

/** Who may end a share or delete a link: whoever may share the content; for non-members there is none. */
export const SHARE_CHANGE = changeOf((field) => {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such share.`, {
    field,
    suggestedFix: t`Use an identifier from Content.shares.`,
  });
});
export const SHARE_LINK_CHANGE = changeOf((field) => {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such link.`, {
    field,
    suggestedFix: t`Use an identifier from Content.shareLinks.`,
  });
});

function changeOf(missing: (field: string) => AppError): Policy<SharingFacts> {
  return { missing, requires: [permission(fact('member'), missing), permission(fact('may'), roleTooLow)] };
}

/** INVALID_INPUT where a content has as many as it may have. */
export function tooManyShares(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This content is shared with ${MAX_SHARES} people, which is the limit.`, {
    field,
    suggestedFix: t`Remove people who no longer need it, or create a link.`,
  });
}

export function tooManyLinks(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This content has ${MAX_SHARE_LINKS} links, which is the limit.`, {
    field,
    suggestedFix: t`Delete links that are not used; Content.shareLinks shows when each was last used.`,
  });
}
