import { parentPort, workerData } from 'node:worker_threads';
import { heldOutLoss, trainForecast } from '@reelgraph/forecast';
import type { TrainingRequest, TrainingResult } from './train-in-thread.ts';

if (parentPort === null) throw new Error('This runs in a thread.');
const { videos, champion } = workerData as TrainingRequest; // from `trainInThread`
const parameters = trainForecast(videos);
parentPort.postMessage({
  parameters,
  loss: heldOutLoss(parameters, videos, parameters),
  championLoss: champion && heldOutLoss(champion, videos, parameters),
} satisfies TrainingResult);
