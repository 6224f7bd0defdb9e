import type { GuardedSockets } from '../../platform/fetch/guarded-socket.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RecordingTools } from './recording/complete-recording.ts';

/** What the commands and fields of this domain use; `services.live` of the engine. */
export interface LiveServices extends RecordingTools, Pick<Platform, 'secrets'> {
  /** For simulcast targets. */
  readonly sockets: Pick<GuardedSockets, 'check'>;
  /** For encoders; null while this server does not receive RTMP. */
  rtmpAddress(): string | null;
  /** For encoders; null while this server does not receive RTMPS. */
  rtmpsAddress(): string | null;
  /** For browsers and other clients of WHIP; null while this server does not receive WHIP. */
  whipAddress(): string | null;
  /** At which whoever has it can play what is sent before a broadcast is started. */
  previewAddress(broadcastId: string, nowMs: number): string;
  /** For live inputs that receive SRT; none while this server does not. */
  srtPorts(): readonly number[];
  /** For encoders, of a live input with this port; null while this server does not receive SRT. */
  srtAddress(port: number): string | null;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly live: LiveServices;
  }
}
