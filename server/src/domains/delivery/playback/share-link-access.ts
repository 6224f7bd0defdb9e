import { createHash } from 'node:crypto';
import { formatDid } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { signerOf } from '../../../platform/config/secret-key.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readTicket, writeTicket } from '../../../platform/signed-ticket.ts';
import { type Attempts, isPassword } from '../../accounts/index.ts';
import { type Playback, playbackOf } from './playback-addresses.ts';
import { type ShareLinkFacts, shareLinkFacts, useShareLink } from './share-link.store.ts';

/** Who opens a link. */
export interface ShareLinkRequest {
  /** The last part of its address. */
  readonly token: string | null;
  readonly password: string | null;
  /** From an earlier response: the link is not counted again, and asks for no password. */
  readonly pass: string | null;
  readonly clientAddress: string;
}

/** What a link plays. */
export interface SharedPlayback extends Playback {
  /** Id of the content. */
  readonly content: string;
  readonly summary: string;
  readonly channel: { readonly title: string; readonly handle: string };
  readonly pass: string;
}

/** How long a pass is valid, and with it the addresses of private media. */
const PASS_SECONDS = 12 * 3_600;

/**
 * Opens links to private contents: the one place that decides about their passwords, expiries and numbers of uses. The
 * addresses that it returns end with the pass and with the link, and when the content is taken down or deleted.
 */
export class ShareLinkAccess {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>;
  readonly #attempts: Attempts;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>, attempts: Attempts) {
    this.#platform = platform;
    this.#attempts = attempts;
  }

  /**
   * @throws AppError FIELD_REQUIRED (field `token` or `password`), RESOURCE_NOT_FOUND for a link that is unknown or was
   *   deleted, or whose content is not playable, in the trash or taken down, TOKEN_EXPIRED, UNAUTHORIZED for one that
   *   was opened as often as it may be, INVALID_INPUT (field `password`) for a wrong password, RATE_LIMIT_EXCEEDED
   *   after too many.
   */
  async open({ token, password, pass, clientAddress }: ShareLinkRequest): Promise<SharedPlayback> {
    const { db, clock, config } = this.#platform;
    if (!token) throw new AppError('FIELD_REQUIRED', t`token is missing.`, { field: 'token' });
    const nowMs = clock.now();
    const link = await shareLinkFacts(db, createHash('sha256').update(token).digest());
    if (!link) throw unknownLink();
    const endsMs = link.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(link.expiresAt);
    if (endsMs <= nowMs) throw expired();
    if (!this.#isPassOf(link, pass, nowMs)) {
      await this.#provePassword(link, password, clientAddress);
      await this.#use(link, nowMs);
    }
    const expires = Math.floor(Math.min(nowMs + PASS_SECONDS * 1_000, endsMs) / 1_000);
    const { contentId, kind } = link;
    const playback =
      contentId && playbackOf(this.#platform, link, { contentId, lease: { keyId: link.id, expires }, nowMs });
    if (!playback || !kind) throw nothingToPlay();
    return {
      ...playback,
      content: formatDid(config.DID_NAMESPACE, CONTENT_KINDS[kind].did, contentId),
      summary: link.summary ?? '',
      channel: { title: link.channel, handle: link.handle },
      pass: this.#passOf(link.id, expires),
    };
  }

  async #provePassword({ id, passwordHash }: ShareLinkFacts, password: string | null, from: string): Promise<void> {
    if (passwordHash === null) return;
    if (!password)
      throw new AppError('FIELD_REQUIRED', t`This link needs its password.`, {
        field: 'password',
        suggestedFix: t`Ask whoever sent you the link.`,
      });
    const attempt = await this.#attempts.shareLink(id, from);
    if (!(await isPassword(passwordHash, password)))
      throw new AppError('INVALID_INPUT', t`The password is wrong.`, {
        field: 'password',
        suggestedFix: t`Check the spelling, or ask whoever sent you the link.`,
      });
    await attempt.succeeded();
  }

  /** Counts the use. A link to what cannot be played is not used up. */
  async #use({ id, channelId, contentId, manifestPrefix }: ShareLinkFacts, nowMs: number): Promise<void> {
    if (contentId === null || manifestPrefix === null) throw nothingToPlay();
    await this.#platform.db.transaction(async (tx) => {
      if (!(await useShareLink(tx, id, new Date(nowMs).toISOString()))) throw usedUp();
      await appendEvent(tx, {
        type: 'content.link_opened',
        channelId,
        subjectId: contentId,
        payload: { shareLinkId: id },
      });
    });
  }

  #passOf(linkId: string, expires: number): string {
    const signature = this.#platform.secrets.mac('share-pass', `${linkId}.${expires}`).toString('base64url');
    return writeTicket({ expires, keyId: linkId, signature });
  }

  #isPassOf({ id }: ShareLinkFacts, pass: string | null, nowMs: number): boolean {
    const ticket = pass === null ? null : readTicket(pass);
    if (ticket?.keyId !== id || ticket.expires * 1_000 <= nowMs) return false;
    return signerOf(this.#platform.secrets, 'share-pass', `${id}.${ticket.expires}`, ticket.signature) !== null;
  }
}

function unknownLink(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This link does not work, or was revoked.`, {
    suggestedFix: t`Check that the address is complete, or ask whoever sent it for another one.`,
  });
}

function expired(): AppError {
  return new AppError('TOKEN_EXPIRED', t`This link has expired.`, {
    suggestedFix: t`Ask whoever sent it for another one.`,
  });
}

function usedUp(): AppError {
  return new AppError('UNAUTHORIZED', t`This link was opened as often as it may be.`, {
    suggestedFix: t`Ask whoever sent it for another one.`,
  });
}

function nothingToPlay(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is nothing to play at this link for now.`, {
    suggestedFix: t`Try again later: the video may not be ready.`,
  });
}
