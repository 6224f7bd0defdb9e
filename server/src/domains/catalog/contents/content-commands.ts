import { type RequestEnv, readChanges, revised, type StatementCommand } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS, contentKindOf } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { and, fact, not, oneOf, type Policy, state } from '../../../kernel/policy.ts';
import { TERMS_EXIST } from '../taxonomy/taxonomy-terms.policy.ts';
import { CONTENT_TERMS, type MissingTerm } from '../taxonomy/taxonomy-terms.store.ts';
import { CONTENT_ACTIONS, type ContentFacts, PUBLICATION } from './content.policy.ts';
import {
  actionTarget,
  CHANGE_TARGET,
  type ContentTarget,
  type ContentUpdate,
  PUBLICATION_TARGET,
  type Publication,
  publishContentWrites,
  unpublishContentWrites,
  updateContentWrites,
} from './content-commands.store.ts';
import { CONTENT_FIELDS, checkFieldsOfKind, type Visibility } from './content-fields.ts';
import { checkTypeOf, readPublicationDate } from './content-input.ts';
import { type GivenContentInput, withContentInput } from './content-metadata-input.ts';
import type { ContentAction } from './lifecycle.ts';

/** Kind and id of a content's DID. Throws INVALID_INPUT with `field` for anything else. */
export function readContentId(env: Pick<RequestEnv, 'parseDid'>, value: unknown, field: string): ContentTarget {
  const { kind, id } = env.parseDid(value, CONTENT_DID_KINDS, field);
  return { id, kind: contentKindOf(kind) };
}

/** The shared part of commands on an existing content. */
function onContent<Input extends ContentTarget>(
  action: ContentAction,
): Pick<StatementCommand<never, Input>, 'payload' | 'row' | 'target' | 'policy'> {
  return {
    payload: (input) => input.id,
    row: 'changed',
    target: actionTarget(action),
    policy: CONTENT_ACTIONS[action],
  };
}

export interface UpdateContentArgs {
  readonly id?: Maybe<string>;
  readonly input: GivenContentInput;
}

/** Updates the metadata of the account's content. One round trip. */
export const updateContent: StatementCommand<UpdateContentArgs, ContentUpdate> = revised(
  { row: 'c', fields: CONTENT_FIELDS, changes: ({ changes }) => changes, elsewhere: CONTENT_TERMS },
  {
    ...onContent('update'),
    prepare({ id, input: given }, env) {
      if (id == null) throw contentMissing();
      const target = readContentId(env, id, 'id');
      return withContentInput(given, env, (input) => {
        checkTypeOf(target.kind, input.contentType);
        checkFieldsOfKind(target.kind, input);
        const changes = readChanges(CONTENT_FIELDS, input, env);
        return { ...target, changes, ifRevision: input.ifRevision ?? null };
      });
    },
    target: CHANGE_TARGET,
    policy: { ...CONTENT_ACTIONS.update, requires: [...CONTENT_ACTIONS.update.requires, TERMS_EXIST] } satisfies Policy<
      ContentFacts & { readonly missingTerm: MissingTerm }
    >,
    writes: updateContentWrites,
  },
);

function contentMissing(): AppError {
  return new AppError('FIELD_REQUIRED', t`The id of the content is missing.`, {
    field: 'id',
    suggestedFix: t`Send the id that createContent returned.`,
  });
}

export interface PublishContentArgs {
  readonly id: string;
  readonly releaseDate?: Maybe<string>;
  readonly whenReady?: Maybe<boolean>;
  /** Who can see it; default: as before. */
  readonly visibility?: Maybe<Visibility>;
}

/**
 * Publishes the account's content, at once or at `releaseDate`; with `whenReady` not before its video is ready. A
 * `visibility` is stored by the same statement, so that a refused call changes nothing. One round trip; idempotent.
 */
export const publishContent: StatementCommand<PublishContentArgs, Publication> = {
  ...onContent('publish'),
  prepare: ({ id, releaseDate, whenReady, visibility }, env) => ({
    ...readContentId(env, id, 'id'),
    ...readPublicationDate(instant(releaseDate), env.nowMs, 'releaseDate'),
    whenReady: whenReady === true,
    visibility: visibility ?? null,
  }),
  target: PUBLICATION_TARGET,
  policy: {
    ...PUBLICATION,
    requires: [
      ...PUBLICATION.requires,
      state(not(and(oneOf('status', ['PUBLISHED']), fact('inFuture'), not(fact('withVisibility')))), publishedAlready),
    ],
  } satisfies Policy<
    ContentFacts & { readonly inFuture: boolean; readonly whenReady: boolean; readonly withVisibility: boolean }
  >,
  writes: publishContentWrites,
};

function publishedAlready(): AppError {
  return new AppError('INVALID_INPUT', t`This content is already published, so it cannot have a future release date.`, {
    field: 'releaseDate',
    suggestedFix: t`Omit releaseDate, or send a visibility, too: it is then unpublished until that date.`,
  });
}

/** Unpublishes the account's content, or cancels its scheduled publication. One round trip. */
export const unpublishContent: StatementCommand<{ readonly id: string }, ContentTarget> = {
  ...onContent('unpublish'),
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  writes: unpublishContentWrites,
};

/** Unix milliseconds of a DateTime argument. */
export function instant(value: Maybe<string>): number | null {
  return value == null ? null : Date.parse(value);
}
