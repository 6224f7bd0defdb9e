/**
 * The reference of `npm run bench:delivery`: a bare node:http handler that streams files, and knows their paths and
 * sizes beforehand (the file FILES). It checks nothing.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { StoredFile } from './videos.ts';

// Written by delivery.ts.
const text = readFileSync(process.env['FILES'] ?? '', 'utf8');
const files = new Map(Object.entries(JSON.parse(text) as Record<string, StoredFile>));

createServer((request, response) => {
  const file = files.get(request.url ?? '');
  if (!file) return void response.writeHead(404).end();
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (start === undefined || end === undefined) {
    response.writeHead(200, { 'Content-Type': file.contentType, 'Content-Length': file.sizeBytes });
    createReadStream(file.path).pipe(response);
    return;
  }
  response.writeHead(206, {
    'Content-Type': file.contentType,
    'Content-Length': Number(end) - Number(start) + 1,
    'Content-Range': `bytes ${start}-${end}/${file.sizeBytes}`,
  });
  createReadStream(file.path, { start: Number(start), end: Number(end) }).pipe(response);
}).listen(Number(process.env['PORT']), process.env['HOST']);
