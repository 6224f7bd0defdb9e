import { PublishRefusedError, RtmpError } from '@reelgraph/rtmp';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';

/** Why a target is given up for a while. */
export class TargetError extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.name = 'TargetError';
    this.text = text;
  }
}

export const TOO_SLOW = t`The server does not take the stream fast enough: pictures are left out.`;

/** What a server says of a refusal is shown up to this length. */
const REASON_CHARACTERS = 200;
const CONTROL = /\p{Cc}+/gu;

const BY_CODE: Readonly<Record<string, Text>> = {
  ECONNREFUSED: t`The server does not accept connections.`,
  EHOSTUNREACH: t`The server cannot be reached.`,
  ENETUNREACH: t`The server cannot be reached.`,
  ETIMEDOUT: t`The server does not answer.`,
  CERT_HAS_EXPIRED: t`The certificate of the server has expired.`,
  ERR_TLS_CERT_ALTNAME_INVALID: t`The certificate of the server is for another host.`,
};
const UNTRUSTED: ReadonlySet<string> = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
]);

/** What is known of a connection that failed. */
interface Attempt {
  readonly streamKey: string;
  /** Whether the server had taken the stream. */
  readonly isStarted: boolean;
}

/** Why a connection to a target failed, for the people who may change the target. It never has the stream key. */
export function failureOf(error: unknown, { streamKey, isStarted }: Attempt): Text {
  if (error instanceof TargetError || error instanceof AppError) return error.text;
  if (error instanceof PublishRefusedError) {
    const reason = shownReason(error.reason, streamKey);
    return reason === '' ? t`The server refuses the stream.` : t`The server refuses the stream: ${reason}`;
  }
  if (error instanceof RtmpError) return t`The server does not follow RTMP: ${error.message}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNTRUSTED.has(code)) return t`The certificate of the server is not trusted.`;
  if (code.startsWith('ERR_SSL_')) return t`The server does not encrypt connections. Does its address begin with rtmp?`;
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  return isStarted
    ? t`The server closed the connection.`
    : t`The server closed the connection before it took the stream. Check the address and the stream key.`;
}

/** What a server says, in one line. Some repeat the key that they refuse. */
function shownReason(reason: string, streamKey: string): string {
  const [key = ''] = streamKey.split('?');
  const withoutKey = [streamKey, key].reduce((text, part) => (part === '' ? text : text.replaceAll(part, '…')), reason);
  return withoutKey.replace(CONTROL, ' ').trim().slice(0, REASON_CHARACTERS);
}
