import { parentPort, workerData } from 'node:worker_threads';
import { planCopy } from './copy-package.ts';
import type { PlanCopyRequest } from './plan-copy.ts';

const { movie, source } = workerData as PlanCopyRequest; // from `planCopyInThread`
parentPort?.postMessage(planCopy(Buffer.from(movie), source));
