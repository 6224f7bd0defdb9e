import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { openTestCatalog, type TestCatalog } from '../catalog/testing.ts';
import { randomOf } from './ctr-model/simulated.fixture.ts';

export const PREDICT = `mutation ($input: ViralityPredictionInput!) { predictVirality(input: $input) {
  viralityScore clickThroughRate clickThroughRateLow clickThroughRateHigh confidence recommendation
  processingTimeMs bestCategory
  inferredCategory { category confidence } basis { contents impressions clicks trainedAt calibrationError usesFeatures }
  recommendations { overallAssessment strengths improvements { area priority suggestion clickThroughRatePoints } } } }`;

/** A platform that may fetch the images of a server on this machine. */
export interface ImageSite {
  readonly api: TestCatalog;
  readonly address: string;
  close(): Promise<void>;
}

/** Serves these images by their paths. */
export async function openImageSite(images: ReadonlyMap<string, Buffer>): Promise<ImageSite> {
  const site = createServer((request, response) => {
    const image = images.get(request.url ?? '');
    response.writeHead(image ? 200 : 404).end(image ?? 'not found');
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  const { port } = site.address() as AddressInfo; // a TCP server has one
  const api = await openTestCatalog({ env: { FETCH_ALLOW: `127.0.0.1:${port}` } });
  return {
    api,
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      await api.close();
      site.close();
    },
  };
}

/** A grey image with noise. */
export function greyImage(grey: number): Promise<Buffer> {
  const grain = randomOf(grey);
  const bytes = Buffer.from(Array.from({ length: 1_280 * 720 }, () => grey + 90 * (grain.uniform() - 0.5)));
  return sharp(bytes, { raw: { width: 1_280, height: 720, channels: 1 } })
    .jpeg()
    .toBuffer();
}
