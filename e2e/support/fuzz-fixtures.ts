import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** A server controlled by an attacker, as a sourceUrl. */
export interface FuzzSource {
  readonly url: string;
  /** Its entry in FETCH_ALLOW. */
  readonly host: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  /** Resolves when the client has aborted the endless body (/slow). */
  readonly left: Promise<void>;
  close(): void;
}

export async function startFuzzSource(): Promise<FuzzSource> {
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const requestedPaths: string[] = [];
  const server: Server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    result(request, response, leave);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const host = `127.0.0.1:${address.port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${host}`, host, asked: requestedPaths, left, close };
}

function result({ url: path = '' }: IncomingMessage, response: ServerResponse, leave: () => void): void {
  if (path.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end();
  else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
  else if (path === '/huge') response.writeHead(200, { 'content-length': String(300 * 2 ** 30) }).write('x');
  else if (path === '/empty') response.end();
  else if (path === '/playlist') response.end('#EXTM3U\nhttp://127.0.0.1/healthz');
  else if (path === '/reset')
    response.writeHead(200, { 'content-length': '100000' }).write('x', () => response.socket?.resetAndDestroy());
  else if (path === '/slow') response.once('close', leave).writeHead(200).write('x');
  else response.writeHead(404).end();
}

/** A black one-bit image, optionally with fewer rows than it declares (PNG specification, sections 5.3 and 11.2). */
export function png(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface SmallDisk {
  /** Leaves no free space. */
  fill(): void;
  makeRoom(): void;
  restore(): void;
}

/**
 * Fills the disk for real: a file system of 1 MiB over `objects` where mounting is permitted, otherwise the bytes of
 * these uploads go to /dev/full. Either way writing fails as on a full disk.
 */
export function fillDisk(objects: string, uploadIds: readonly string[]): SmallDisk {
  const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  mkdirSync(objects, { recursive: true });
  if (run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', objects)) {
    return {
      // A failed upload frees its space immediately: this fills it.
      fill: () => writeFileSync(join(objects, 'filler'), Buffer.alloc(1_024 ** 2 - 32 * 1_024)),
      makeRoom: () => assert.ok(run('mount', '-o', 'remount,size=20m', objects)),
      restore: () => assert.ok(run('umount', '-l', objects)),
    };
  }
  const receiving = join(objects, ',receiving/uploads');
  mkdirSync(receiving, { recursive: true });
  for (const id of uploadIds) symlinkSync('/dev/full', join(receiving, id));
  const makeRoom = () => {
    for (const id of uploadIds)
      if (spawnSync('test', ['-L', join(receiving, id)]).status === 0) rmSync(join(receiving, id));
  };
  return { fill: () => {}, makeRoom, restore: makeRoom };
}
