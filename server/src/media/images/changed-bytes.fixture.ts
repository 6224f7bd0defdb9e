/**
 * Copies of a file, each damaged at another place: some bytes are set to one value, and every fifth copy also ends
 * there. The first `spared` bytes stay, so that the file is recognized.
 */
export function* changedCopies(whole: Buffer, count: number, { spared, changed }: { spared: number; changed: number }) {
  for (let round = 0; round < count; round += 1) {
    const at = spared + Math.floor((round * (whole.length - spared)) / count);
    const copy = Buffer.from(whole);
    copy.fill(round % 2 === 0 ? 0xff : 0x00, at, at + changed);
    yield round % 5 === 4 ? copy.subarray(0, at) : copy;
  }
}
