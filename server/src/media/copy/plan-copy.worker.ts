import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { planCopy } from './copy-package.ts';
import type { PlanCopyRequest } from './plan-copy.ts';

if (parentPort === null) throw new Error('This runs in a thread.');
const [{ movie, source, options }] = (await once(parentPort, 'message')) as [PlanCopyRequest]; // from `planCopyOf`
const plan = planCopy(Buffer.from(movie.buffer, movie.byteOffset, movie.byteLength), source, options);
// Large files move to the other thread; small ones share memory with others and are copied.
const own = plan.standard ? plan.files.filter(({ bytes }) => bytes.byteLength === bytes.buffer.byteLength) : [];
parentPort.postMessage(
  plan,
  own.map(({ bytes }) => bytes.buffer as ArrayBuffer),
);
