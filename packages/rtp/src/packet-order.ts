import { Unwrapper } from './unwrapper.ts';

/** What is read of a packet (RFC 3550 section 5.1). */
export interface RtpPacket {
  readonly sequenceNumber: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly payload: Buffer;
}

interface Options {
  /** How long a packet is waited for, in milliseconds: so that it can be sent again. */
  readonly patienceMs: number;
  readonly onPacket: (packet: RtpPacket) => void;
  /** Packets are given up; the next one comes after a gap. */
  readonly onLost: () => void;
}

interface Waiting {
  readonly packet: RtpPacket;
  readonly atMs: number;
}

/** More packets than a connection has on its way; sequence numbers that are further off restart it. */
const MOST_WAITING = 1_024;

/** Passes the packets of one source on in the order of their sequence numbers, each once. */
export class PacketOrder {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  #unwrapper = new Unwrapper(16);
  /** The sequence number that is passed on next. */
  #next: number | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  push(packet: RtpPacket, nowMs: number): void {
    const number = this.#unwrapper.unwrap(packet.sequenceNumber);
    this.#next ??= number;
    if (Math.abs(number - this.#next) >= MOST_WAITING) return void this.#restart(packet);
    if (number < this.#next) return; // it came too late, or twice
    this.#waiting.set(number, { packet, atMs: nowMs });
    this.#pass(this.#next);
    this.giveUp(nowMs);
  }

  /** Gives packets up that were waited for long enough. To be called now and then while nothing arrives. */
  giveUp(nowMs: number): void {
    while (this.#next !== null && this.#waiting.size > 0) {
      const first = Math.min(...this.#waiting.keys());
      const next = this.#waiting.get(first);
      if (!next || nowMs - next.atMs < this.#options.patienceMs) return;
      this.#options.onLost();
      this.#pass(first);
    }
  }

  /** Passes on what follows each other from this number on. */
  #pass(from: number): void {
    let number = from;
    for (let each = this.#waiting.get(number); each; each = this.#waiting.get(number)) {
      this.#waiting.delete(number);
      number += 1;
      this.#next = number;
      this.#options.onPacket(each.packet);
    }
  }

  #restart(packet: RtpPacket): void {
    this.#waiting.clear();
    this.#unwrapper = new Unwrapper(16);
    this.#next = this.#unwrapper.unwrap(packet.sequenceNumber) + 1;
    this.#options.onLost();
    this.#options.onPacket(packet);
  }
}
