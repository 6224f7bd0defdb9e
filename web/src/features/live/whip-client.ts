import { t } from '../../lib/i18n.ts';

/** Of the picture. */
const MOST_BPS = 4_000_000;
/** Addresses of this machine are found at once; those that are not are not needed. */
const GATHERING_MS = 2_000;

/** Why a browser cannot broadcast, for its user. */
export class WhipError extends Error {}

interface Options {
  readonly address: string;
  readonly streamKey: string;
  readonly stream: MediaStream;
  /** The connection is gone, and is not ended by `stop`. */
  readonly onLost: () => void;
}

/** Sends a picture and a sound by WHIP (RFC 9725). */
export class WhipClient {
  readonly #peer: RTCPeerConnection;
  readonly #session: string;
  readonly #authorization: string;

  private constructor(peer: RTCPeerConnection, session: string, authorization: string) {
    [this.#peer, this.#session, this.#authorization] = [peer, session, authorization];
  }

  /** @throws WhipError with the reason of the server where it is refused. */
  static async start({ address, streamKey, stream, onLost }: Options): Promise<WhipClient> {
    const peer = new RTCPeerConnection();
    const authorization = ['Bearer', streamKey].join(' ');
    try {
      for (const track of stream.getTracks()) {
        const encodings = track.kind === 'video' ? [{ maxBitrate: MOST_BPS }] : [];
        const { sender } = peer.addTransceiver(track, { direction: 'sendonly', sendEncodings: encodings });
        // Another size would be another decoder configuration, which players notice.
        if (track.kind === 'video')
          await sender.setParameters({ ...sender.getParameters(), degradationPreference: 'maintain-resolution' });
      }
      await peer.setLocalDescription();
      await gathered(peer);
      const headers = { Authorization: authorization, 'Content-Type': 'application/sdp' };
      const body = peer.localDescription?.sdp ?? '';
      const response = await fetch(address, { method: 'POST', headers, body });
      if (!response.ok) throw new WhipError(await reasonIn(response));
      const session = new URL(response.headers.get('location') ?? '', response.url).href;
      await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
      peer.addEventListener('connectionstatechange', () => {
        if (peer.connectionState === 'failed') onLost();
      });
      return new WhipClient(peer, session, authorization);
    } catch (error) {
      peer.close();
      throw error;
    }
  }

  /** Ends the broadcast. */
  async stop(): Promise<void> {
    this.#peer.close();
    await fetch(this.#session, {
      method: 'DELETE',
      headers: { Authorization: this.#authorization },
      keepalive: true,
    }).catch(() => {}); // the server notices that nothing comes
  }
}

/** Waits until the addresses of this machine are known: they are sent with the offer. */
async function gathered(peer: RTCPeerConnection): Promise<void> {
  if (peer.iceGatheringState === 'complete') return;
  await new Promise<void>((done) => {
    setTimeout(done, GATHERING_MS);
    peer.addEventListener('icegatheringstatechange', () => {
      if (peer.iceGatheringState === 'complete') done();
    });
  });
}

async function reasonIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : [];
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  if (typeof first === 'object' && first !== null && 'message' in first) return String(first.message);
  return t`The server does not take it: ${response.status}`;
}
