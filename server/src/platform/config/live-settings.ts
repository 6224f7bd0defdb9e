import { z } from 'zod';
import { PORT_RANGES, portsOf } from './port-ranges.ts';
import { flag, siteUrl } from './setting-checks.ts';

/** Each takes two of the users of the sandbox while an encoder publishes. */
const MOST_SRT_PORTS = 20;
/** A name, an address of IPv4, or one of IPv6 in brackets. */
const publicHost = z.string().regex(/^[^\s/?#@:]+$|^\[[\da-fA-F:.]+\]$/, 'a host without a port');

/** Settings of what encoders and browsers send, and of where other processes find it. */
export const LIVE_SETTINGS = {
  LIVE_SIZES: {
    check: flag.default('on'),
    about:
      'Whether broadcasts are encoded in smaller sizes while they are live, as far as there is free CPU time; needs ' +
      'two cores.',
  },
  NODE_URL: {
    check: siteUrl.optional(),
    about:
      'Where other processes reach the HTTP server of this one, such as http://10.0.0.7:4000, for broadcasts that it ' +
      'receives; default PORT at the first address of HOST, or of this machine where that is all addresses.',
  },
  RTMP_PORT: {
    check: z.union([z.literal('off'), z.coerce.number().int().min(0).max(65_535)]).optional(),
    about:
      'Port on which encoders publish by RTMP, on the addresses of HOST; 0 takes a free one, off none; default 1935, ' +
      'or a free one where another program has it.',
  },
  RTMP_URL: {
    check: z.url({ protocol: /^rtmp$/ }).optional(),
    about:
      'Public address for encoders, such as rtmp://live.example.com/live; default RTMP_PORT at the host of BASE_URL.',
  },
  RTMPS_PORT: {
    check: z.coerce.number().int().min(0).max(65_535).default(1936),
    about: 'Port on which encoders publish by RTMPS, on the addresses of HOST; 0 takes a free one.',
  },
  RTMPS_CERT_FILE: {
    check: z.string().optional(),
    about:
      'PEM file with the certificate of RTMPS and its chain, read again when it changes. Without it, the server does ' +
      'not receive RTMPS itself.',
  },
  RTMPS_KEY_FILE: {
    check: z.string().optional(),
    about: 'PEM file with the key of the certificate; required with RTMPS_CERT_FILE.',
  },
  RTMPS_URL: {
    check: z.url({ protocol: /^rtmps$/ }).optional(),
    about:
      'Public address for encoders by RTMPS, such as rtmps://live.example.com/live, also of a proxy that decrypts; ' +
      'default RTMPS_PORT at the host of BASE_URL.',
  },
  SRT_PORTS: {
    check: z
      .string()
      .regex(PORT_RANGES, 'ports such as 20000-20009, separated by commas')
      .transform(portsOf)
      .refine(({ length }) => length > 0 && length <= MOST_SRT_PORTS, `1 to ${MOST_SRT_PORTS} ports`)
      .refine((ports) => ports.every((port) => port >= 1_024 && port <= 65_535), 'ports from 1024 to 65535')
      .optional(),
    about:
      'UDP ports on which encoders publish by SRT, such as 20000-20009, on the first address of HOST: one for each ' +
      `live input that receives SRT, at most ${MOST_SRT_PORTS}. Requires srt-live-transmit, which is in Debian's ` +
      'package srt-tools. Without it, the server does not receive SRT.',
  },
  SRT_HOST: {
    check: publicHost.optional(),
    about: 'Public host for encoders by SRT, such as live.example.com; default the host of BASE_URL.',
  },
  WHIP_URL: {
    check: z.url({ protocol: /^https?$/ }).optional(),
    about:
      'Public address for browsers and others that broadcast by WHIP, such as https://live.example.com/whip; default ' +
      '/whip below BASE_URL where this process receives it.',
  },
  WHIP_PORTS: {
    check: z
      .string()
      .regex(/^\d{1,5}-\d{1,5}$/, 'a range of ports such as 50000-50199')
      .transform((range) => range.split('-').map(Number) as [number, number])
      .refine(
        ([first, last]) => first >= 1_024 && first < last && last <= 65_535,
        'at least two ports from 1024 to 65535',
      )
      .optional(),
    about:
      'UDP ports for WHIP, such as 50000-50199, on the first address of HOST: one or two for each broadcast. Without ' +
      'it, any free ones; set it where a firewall has to let them through.',
  },
  WHIP_HOST: {
    check: publicHost.optional(),
    about:
      'Public host to which clients of WHIP send UDP, such as live.example.com or 203.0.113.7; default the host of ' +
      'BASE_URL. Behind a proxy of HTTP, that of this machine.',
  },
} as const;
