/** Values as lines of JSON. */
export async function* jsonLines(values: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  for await (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

/** The values of lines of JSON. */
export async function* readJsonLines<Value>(chunks: AsyncIterable<Buffer>): AsyncIterable<Value> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      yield JSON.parse(bytes.toString('utf8', start, end)) as Value;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}
