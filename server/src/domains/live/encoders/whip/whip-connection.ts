import {
  type MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCRtpReceiver,
  type RtcpPacket,
  RtcpSrPacket,
  type RtpPacket,
  useNACK,
  useOPUS,
  usePLI,
  useSdesMid,
  useTransportWideCC,
  useTWCC,
} from 'werift';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import { VIDEO_HZ, type WhipOffer } from './offer.ts';
import type { WhipMedia } from './whip-media.ts';

/** Segments begin with keyframes. */
const KEYFRAME_MS = 2_000;
/** A client is not asked for keyframes more often. */
const BETWEEN_REQUESTS_MS = 300;
const TICK_MS = 100;
/** The seconds from 1900, the beginning of NTP's clock, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;
/** Addresses of this machine are known at once; others are not asked for. */
const GATHERING_MS = 5_000;

interface Options {
  /** Addresses on which UDP is received. */
  readonly hosts: readonly string[];
  /** First and last of the ports for it; any free one without. */
  readonly ports: readonly [number, number] | null;
  /** Something came. */
  readonly onSign: (bytes: number) => void;
  readonly onClosed: () => void;
}

/** The WebRTC connection of a client that sends pictures and sound. */
export class WhipConnection {
  readonly #peer: RTCPeerConnection;
  readonly #options: Options;
  #media: WhipMedia | null = null;
  #receiver: RTCRtpReceiver | null = null;
  #videoSsrc: number | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(offer: WhipOffer, options: Options) {
    this.#options = options;
    const { hosts, ports } = options;
    const [v4, v6] = [hosts.find((host) => !host.includes(':')), hosts.find((host) => host.includes(':'))];
    this.#peer = new RTCPeerConnection({
      // The client finds the way: nothing is sent to addresses that it names, and no other server is asked.
      ...{ iceLite: true, iceServers: [], iceUseTcp: false, iceUseIpv4: false, iceUseIpv6: false },
      iceAdditionalHostAddresses: [...hosts],
      iceInterfaceAddresses: { ...(v4 ? { udp4: v4 } : {}), ...(v6 ? { udp6: v6 } : {}) },
      ...(ports ? { icePortRange: [...ports] as [number, number] } : {}),
      codecs: { video: [videoCodec(offer)], audio: [useOPUS()] },
      headerExtensions: { video: [useSdesMid(), useTransportWideCC()], audio: [useSdesMid()] },
    });
    this.#peer.connectionStateChange.subscribe((state) => {
      if (state === 'failed' || state === 'closed' || state === 'disconnected') options.onClosed();
    });
  }

  /**
   * Answers the offer, and receives from then on.
   * @throws AppError INVALID_INPUT where the offer cannot be answered.
   */
  async answer(offer: WhipOffer, media: WhipMedia): Promise<string> {
    this.#media = media;
    this.#peer.onTrack.subscribe((track) => this.#receive(track));
    try {
      await this.#peer.setRemoteDescription({ type: 'offer', sdp: offer.sdp });
      for (const transceiver of this.#peer.getTransceivers()) {
        transceiver.setDirection('recvonly');
        if (transceiver.kind === 'video') this.#receiver = transceiver.receiver;
      }
      await this.#peer.setLocalDescription(await this.#peer.createAnswer());
    } catch (cause) {
      throw unanswerable(cause);
    }
    if (this.#peer.iceGatheringState !== 'complete')
      await this.#peer.iceGatheringStateChange.watch((state) => state === 'complete', GATHERING_MS);
    this.#timers.push(
      setInterval(() => media.tick(), TICK_MS),
      setInterval(() => this.#ask(), KEYFRAME_MS),
    );
    return this.#peer.localDescription?.sdp ?? '';
  }

  /** Asks for a keyframe, unless one was asked for just now. */
  needKeyframe(): void {
    if (performance.now() - this.#askedAtMs >= BETWEEN_REQUESTS_MS) this.#ask();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#peer.close();
  }

  #ask(): void {
    if (this.#videoSsrc === null) return;
    this.#askedAtMs = performance.now();
    this.#receiver?.sendRtcpPLI(this.#videoSsrc).catch(() => {}); // asked again soon
  }

  #receive(track: MediaStreamTrack): void {
    const kind = track.kind === 'video' ? 'video' : 'audio';
    track.onReceiveRtp.subscribe((packet) => this.#packet(kind, packet));
    track.onReceiveRtcp.subscribe((packet) => this.#report(kind, packet));
  }

  #packet(kind: 'video' | 'audio', { header, payload }: RtpPacket): void {
    this.#options.onSign(payload.length);
    if (kind === 'video' && this.#videoSsrc !== header.ssrc) {
      this.#videoSsrc = header.ssrc;
      this.#ask();
    }
    const { sequenceNumber, timestamp, marker } = header;
    this.#media?.packet(kind, { sequenceNumber, timestamp, marker, payload });
  }

  #report(kind: 'video' | 'audio', packet: RtcpPacket): void {
    this.#options.onSign(0);
    if (!(packet instanceof RtcpSrPacket)) return;
    const { ntpTimestamp, rtpTimestamp } = packet.senderInfo;
    this.#media?.report(kind, rtpTimestamp, epochMs(ntpTimestamp));
  }
}

/** Of a timestamp of NTP, in units of 2^-32 s (RFC 3550 section 4). */
function epochMs(ntp: bigint): number {
  return 1_000 * (Number(ntp) / 2 ** 32 - NTP_EPOCH_SECONDS);
}

function videoCodec({ video: { codec, parameters } }: WhipOffer): RTCRtpCodecParameters {
  return new RTCRtpCodecParameters({
    mimeType: `video/${codec}`,
    clockRate: VIDEO_HZ,
    rtcpFeedback: [useNACK(), usePLI(), useTWCC()],
    ...(parameters === null ? {} : { parameters }),
  });
}

function unanswerable(cause: unknown): AppError {
  return new AppError('INVALID_INPUT', t`The SDP offer cannot be answered.`, {
    suggestedFix: t`Send the offer of a WHIP client: one video track and one audio track that are sent.`,
    httpStatus: 422,
    cause,
  });
}
