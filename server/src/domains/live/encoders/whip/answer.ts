const CANDIDATE = /^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/i;
/** Of a host candidate (RFC 8445 section 5.1.2.1); each that follows has one less. */
const PRIORITY = 2_130_706_431;

/** An SDP answer that names public addresses in place of those that are listened on; each family has its port. */
export function withPublicAddresses(answer: string, addresses: readonly string[]): string {
  const lines = answer.split('\r\n');
  const ports = new Map<boolean, string>();
  for (const line of lines) {
    const [, address, port = ''] = CANDIDATE.exec(line) ?? [];
    if (address !== undefined) ports.set(isIpv6(address), port);
  }
  const candidates = addresses.flatMap((address, index) => {
    const port = ports.get(isIpv6(address));
    return port === undefined ? [] : [`a=candidate:${index + 1} 1 udp ${PRIORITY - index} ${address} ${port} typ host`];
  });
  return lines
    .flatMap((line, index) => {
      if (!CANDIDATE.test(line)) return [line];
      return CANDIDATE.test(lines[index - 1] ?? '') ? [] : candidates;
    })
    .join('\r\n');
}

function isIpv6(address: string): boolean {
  return address.includes(':');
}
