import { AppError } from '../../../../kernel/errors.ts';
import { type Text, t } from '../../../../kernel/languages/message.ts';
import type { WhipVideoCodec } from './whip-source.ts';

/** The clock of pictures in RTP, in Hz, whatever their codec (RFC 6184, 7741 and 9628). */
export const VIDEO_HZ = 90_000;

/** What of an offer is received. */
export interface WhipOffer {
  /** The offer without what is not used of it. */
  readonly sdp: string;
  readonly video: { readonly codec: WhipVideoCodec; readonly parameters: string | null };
  readonly hasSound: boolean;
}

interface Section {
  readonly kind: string;
  readonly lines: readonly string[];
}

/**
 * Not used: addresses of the client, who is answered where its requests come from; several sizes of a picture, of which
 * the first one is sent where none is chosen.
 */
const LEFT_OUT = /^a=(?:candidate|end-of-candidates|simulcast|rid|ssrc-group:SIM)/;
/** More than any client sends. */
const MOST_LINES = 4_000;

/**
 * Reads an SDP offer of a WHIP client (RFC 9725 section 4.2), which sends at most one picture and one sound.
 * @throws AppError INVALID_INPUT: 400 where it is no offer, 422 where it cannot be received.
 */
export function readOffer(text: string): WhipOffer {
  const lines = text.split(/\r\n|\n/).filter((line) => line !== '' && !LEFT_OUT.test(line));
  if (lines[0] !== 'v=0' || lines.length > MOST_LINES) throw invalid(400, t`The body is not an SDP offer.`);
  const sections = sectionsOf(lines);
  if (sections.some(({ kind }) => kind !== 'video' && kind !== 'audio'))
    throw invalid(422, t`A broadcast has pictures and sound, and no data channels.`);
  const [videos, sounds] = ['video', 'audio'].map((kind) => sections.filter((section) => section.kind === kind));
  const [video] = videos ?? [];
  if (!video || videos?.length !== 1 || (sounds?.length ?? 0) > 1)
    throw invalid(422, t`A broadcast has one video track, and at most one audio track.`);
  const sound = sounds?.[0];
  if (sound && !codecsOf(sound).has('OPUS')) throw invalid(422, t`The sound of a browser is received in Opus.`);
  return { sdp: `${lines.join('\r\n')}\r\n`, video: videoOf(video), hasSound: sound !== undefined };
}

/** H.264 first, which is not encoded here. */
function videoOf(section: Section): WhipOffer['video'] {
  const codecs = codecsOf(section);
  for (const format of codecs.get('H264') ?? []) {
    const parameters = parametersOf(section, format);
    if (parameters !== null && /(?:^|;)\s*packetization-mode=1/.test(parameters)) return { codec: 'H264', parameters };
  }
  for (const codec of ['VP8', 'VP9'] as const) if (codecs.has(codec)) return { codec, parameters: null };
  throw invalid(422, t`Pictures are received in H.264 (packetization mode 1), VP8 or VP9.`);
}

/** By m-lines (RFC 8866 section 5.14). */
function sectionsOf(lines: readonly string[]): Section[] {
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  return starts.map((start, index) => ({
    kind: /^m=(\w+)/.exec(lines[start] ?? '')?.[1] ?? '',
    lines: lines.slice(start, starts[index + 1]),
  }));
}

/** Payload types by the names of their codecs, in capitals. */
function codecsOf({ lines }: Section): Map<string, string[]> {
  const codecs = new Map<string, string[]>();
  for (const line of lines) {
    const [, format = '', name = ''] = /^a=rtpmap:(\d+) ([\w-]+)\//.exec(line) ?? [];
    if (format !== '') codecs.set(name.toUpperCase(), [...(codecs.get(name.toUpperCase()) ?? []), format]);
  }
  return codecs;
}

function parametersOf({ lines }: Section, format: string): string | null {
  const start = `a=fmtp:${format} `;
  return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? null;
}

function invalid(httpStatus: number, message: Text): AppError {
  return new AppError('INVALID_INPUT', message, {
    suggestedFix: t`Send the offer of a WHIP client: one video track and one audio track that are sent.`,
    httpStatus,
  });
}
