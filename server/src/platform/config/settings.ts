import { z } from 'zod';
import { BYTE_SIZE, parseByteSize } from './byte-size.ts';
import { LIVE_SETTINGS } from './live-settings.ts';
import { OIDC_PROVIDERS } from './oidc-settings.ts';
import { flag, isSecretKey, siteUrl } from './setting-checks.ts';

const positive = z.coerce.number().int().positive();

/**
 * Every setting: its default, its check and its documentation. `.env.example` and docs/settings.md are generated from
 * this table, and all problems are reported together. A setting with `secret` can also be given by a file
 * (secret-files.ts).
 */
export const SETTINGS = {
  PORT: {
    check: z.coerce.number().int().min(0).max(65_535).default(4000),
    about: 'Port of the HTTP server; 0 takes a free one.',
  },
  WORKER_PORT: {
    check: z.coerce.number().int().min(1).max(65_535).optional(),
    about:
      'Port on which a process that works responds to probes: /healthz, and /readyz with 503 while it cannot process ' +
      'media, for example because SANDBOX=require is not met. None by default.',
  },
  DRAIN_SECONDS: {
    check: z.coerce.number().min(0).max(300).default(0),
    about:
      'How long the API goes on answering after SIGTERM, while /readyz returns 503: as long as a proxy ' +
      'needs to notice it and to send requests to other instances, such as 5.',
  },
  HOST: {
    check: z.string().optional(),
    about:
      'Address the HTTP server listens on, for example 0.0.0.0; default loopback (127.0.0.1 and ' +
      '::1), or all addresses if BASE_URL names a host that is not loopback.',
  },
  ...LIVE_SETTINGS,
  BASE_URL: {
    check: z.url().optional(),
    about: 'Public address, without a trailing slash; default http://localhost:PORT.',
  },
  DATA_DIR: {
    check: z.string().default('./data'),
    about: 'Folder for the local database, local objects and SECRET_KEY.',
  },
  DATABASE_URL: {
    secret: true,
    check: z.string().startsWith('postgres').optional(),
    about: 'Your own PostgreSQL (18 or newer); by default the platform runs one in DATA_DIR.',
  },
  SECRET_KEY: {
    secret: true,
    check: z.base64().optional(),
    about:
      '32 bytes in base64 that encrypt API keys and sign addresses; ' +
      'created in DATA_DIR on the first start. All instances share it.',
  },
  SECRET_KEY_PREVIOUS: {
    secret: true,
    check: z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every(isSecretKey), 'keys of 32 bytes in base64, separated by commas')
      .optional(),
    about:
      'Other keys, separated by commas, with which things were encrypted and signed: they are accepted, and nothing ' +
      'new is made with them. For changing SECRET_KEY: see "Change SECRET_KEY" in the guide to self-hosting.',
  },
  DID_NAMESPACE: {
    check: z
      .string()
      .regex(/^[a-z0-9]+$/)
      .default('reelgraph'),
    about: 'Namespace of ids: did:<namespace>:…',
  },
  STORAGE: { check: z.enum(['disk', 's3']).default('disk'), about: 'Where objects are stored.' },
  STORAGE_RESERVE: {
    check: z
      .string()
      .regex(
        new RegExp(`^(?:\\d+(?:\\.\\d+)?%|${BYTE_SIZE.source})$`),
        'a share of the disk such as 5%, or a size such as 2GiB',
      )
      .transform((text) =>
        text.endsWith('%') ? { share: Number.parseFloat(text) / 100 } : { bytes: parseByteSize(text) },
      )
      .refine((reserve) => !('share' in reserve) || reserve.share <= 1, 'at most 100%')
      .optional(),
    about:
      'With STORAGE=disk: the free space on the disk of DATA_DIR that uploads leave for PostgreSQL ' +
      'and the system: a share such as 5%, or a size such as 2GiB; default 5% or 2GiB, whichever is more.',
  },
  STORAGE_CAPACITY: {
    check: z
      .string()
      .regex(new RegExp(`^${BYTE_SIZE.source}$`), 'a size such as 500GiB')
      .transform(parseByteSize)
      .optional(),
    about:
      'With STORAGE=s3: the capacity of the bucket, such as 500GiB; without it no upload is refused for lack of space.',
  },
  S3_ENDPOINT: { check: z.url().optional(), about: 'Address of the S3 service, for services other than AWS.' },
  S3_REGION: { check: z.string().default('us-east-1'), about: 'Region of the bucket.' },
  S3_BUCKET: { check: z.string().optional(), about: 'Bucket; required with STORAGE=s3.' },
  S3_ACCESS_KEY_ID: {
    secret: true,
    check: z.string().optional(),
    about: 'Access key of the bucket; required with STORAGE=s3.',
  },
  S3_SECRET_ACCESS_KEY: {
    secret: true,
    check: z.string().optional(),
    about: 'Secret key of the bucket; required with STORAGE=s3.',
  },
  SIGN_UP: {
    check: z.enum(['open', 'invite', 'closed']).optional(),
    about:
      'Who may create an account in the web application: open (anyone), invite (with an invitation of an ' +
      'operator) or closed (the admin command only); default open while only this machine reaches the server (it ' +
      'listens on loopback, BASE_URL is loopback, TRUST_PROXY is off), else invite.',
  },
  OIDC_PROVIDERS,
  MAIL: {
    check: z.enum(['folder', 'smtp']).default('folder'),
    about:
      'Where mail goes: folder (one file per message in DATA_DIR/mail, for operators to read) or smtp (to its ' +
      'recipient, by SMTP_URL).',
  },
  MAIL_FROM: {
    check: z
      .string()
      .regex(/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/, 'an address, or Name <address>')
      .optional(),
    about: 'Sender of mail; default Reelgraph <no-reply@ and the host of BASE_URL>.',
  },
  CONTACT: {
    check: z.union([z.email(), z.url({ protocol: /^https$/ })]).optional(),
    about:
      'Email address or page (https) where suspended accounts can object; without it the error names the operator of ' +
      'this server.',
  },
  SMTP_URL: {
    secret: true,
    check: z.url({ protocol: /^smtps?$/ }).optional(),
    about:
      'Mail server, such as smtp://user:password@mail.example.com:587 (encrypted with STARTTLS) or smtps:// with ' +
      'port 465; required with MAIL=smtp. Characters of the password outside A-Z, a-z and 0-9 are percent-encoded.',
  },
  STRIPE_SECRET_KEY: {
    secret: true,
    check: z.string().min(1).optional(),
    about: 'Secret key of your Stripe account: plans can then be bought. Without it operators set plans.',
  },
  STRIPE_WEBHOOK_SECRET: {
    secret: true,
    check: z.string().startsWith('whsec_').optional(),
    about: 'Signing secret of the endpoint BASE_URL/api/payments/stripe at Stripe; required with STRIPE_SECRET_KEY.',
  },
  STRIPE_PRICES: {
    check: z
      .string()
      .regex(
        /^(?:(?:PREMIUM|PREMIUM_PLUS|CREATOR_PLUS)_(?:MONTHLY|ANNUAL)=[^\s,=]+(?:,\s*(?!$)|$))+$/,
        'PLAN_INTERVAL=price, …',
      )
      .optional(),
    about:
      'Prices at Stripe of the plans for sale, such as PREMIUM_MONTHLY=price_1,CREATOR_PLUS_ANNUAL=price_2; required ' +
      'with STRIPE_SECRET_KEY. Keep former prices behind the current ones as long as someone pays them.',
  },
  STRIPE_API_URL: {
    check: siteUrl.default('https://api.stripe.com'),
    about: 'Address of the API of Stripe, for a stand-in in tests.',
  },
  DEMO: {
    check: flag.optional(),
    about: 'Demo channel on the first start: on or off; default on, off if DATABASE_URL is set.',
  },
  LOG_LEVEL: {
    check: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    about: 'Minimum level of log messages.',
  },
  FFMPEG_PATH: { check: z.string().default('ffmpeg'), about: 'ffmpeg with libx264, aac and zscale.' },
  FFPROBE_PATH: { check: z.string().default('ffprobe'), about: 'ffprobe of the same version.' },
  SANDBOX: {
    check: z.enum(['require', 'prefer']).optional(),
    about:
      'Whether media tools run only in the complete sandbox (require) or in the strongest one this machine ' +
      'allows (prefer); default prefer, require if DATABASE_URL is set.',
  },
  FETCH_ALLOW: {
    check: z.string().default(''),
    about:
      'Hosts (host or host:port, comma-separated) that addresses of users, such as sourceUrl and those of simulcast ' +
      'targets, may have although they resolve to private addresses.',
  },
  RATE_LIMIT_POINTS: { check: positive.default(2_000), about: 'Maximum cost points of an account, per API instance.' },
  RATE_LIMIT_RESTORE: { check: positive.default(100), about: 'Cost points that an account regains per second.' },
  INSTANT_PLAYBACK: {
    check: flag.default('on'),
    about:
      'Whether videos are playable before they are encoded: those with H.264 in MP4, MOV, MKV, MPEG-TS or ' +
      'FLV with the picture as it was uploaded, others in one quality; and whether uploads are played while they ' +
      'arrive.',
  },
  AV1_AFTER_VIEWS: {
    check: positive.optional(),
    about:
      'Views after which a video is also encoded in AV1, whatever its channel chose; default: never. Such work is ' +
      'done when nothing else is left to encode.',
  },
  HEVC_AFTER_VIEWS: {
    check: positive.optional(),
    about: 'Views after which a video is also encoded in HEVC, in the same way; default: never.',
  },
  WORKER_CONCURRENCY: {
    check: positive.max(64).optional(),
    about:
      'Parts of videos that one worker encodes at the same time, each on about one core, and one more for ' +
      'short videos; default: the number of cores, at most 12.',
  },
  COLD_RENDITIONS_AFTER: {
    check: positive.max(3_650).optional(),
    about:
      'Days after which the larger sizes of videos that nobody has watched are deleted; they are encoded again when ' +
      'somebody does. By default they stay.',
  },
  ENGAGEMENT_RETENTION_DAYS: {
    check: positive.min(2).max(3_650).default(90),
    about: 'Days for which raw engagement events are kept; their aggregates stay.',
  },
  EVENT_LOG_DAYS: {
    check: positive.max(3_650).default(30),
    about: 'Days for which the event log is kept; events that a consumer has not read are kept longer.',
  },
  YOUTUBE_CLIENT_ID: {
    check: z.string().optional(),
    about:
      'Client id of your OAuth client at Google, with which accounts ' +
      'connect their YouTube channels; requires YOUTUBE_CLIENT_SECRET.',
  },
  YOUTUBE_CLIENT_SECRET: {
    secret: true,
    check: z.string().optional(),
    about: 'Client secret of your OAuth client at Google; requires YOUTUBE_CLIENT_ID.',
  },
  YOUTUBE_AUTHORIZE_URL: {
    check: siteUrl.default('https://accounts.google.com/o/oauth2/v2/auth'),
    about: 'Address of the consent page, which browsers open.',
  },
  YOUTUBE_TOKEN_URL: {
    check: siteUrl.default('https://oauth2.googleapis.com/token'),
    about:
      'Address at which the server gets tokens. Set the YOUTUBE_…_URL settings to use a proxy of yours or a stand-in ' +
      'for tests; list hosts with private addresses in FETCH_ALLOW.',
  },
  YOUTUBE_REVOKE_URL: {
    check: siteUrl.default('https://oauth2.googleapis.com/revoke'),
    about: 'Address at which the server revokes tokens.',
  },
  YOUTUBE_API_URL: {
    check: siteUrl.default('https://www.googleapis.com/youtube/v3'),
    about: 'Base address of the YouTube Data API.',
  },
  YOUTUBE_UPLOAD_URL: {
    check: siteUrl.default('https://www.googleapis.com/upload/youtube/v3'),
    about: 'Base address of uploads to YouTube.',
  },
  YOUTUBE_DOWNLOADER: {
    check: z.string().optional(),
    about: 'Path of yt-dlp, with which workers fetch the files of imported videos; without it people upload the files.',
  },
  SPEECH: {
    check: z.enum(['auto', 'whisper-cpp', 'openai', 'off']).default('auto'),
    about:
      'What makes captions from speech: auto (the whisper.cpp of the platform, once install-speech-model has ' +
      'installed a model), whisper-cpp (a command of your own on the workers), openai (any service with the ' +
      'transcription API of OpenAI) or off.',
  },
  WHISPER_CPP_PATH: {
    check: z.string().default('whisper-cli'),
    about: 'With SPEECH=whisper-cpp: path of the command of whisper.cpp, or its name on PATH.',
  },
  WHISPER_CPP_MODEL: {
    check: z.string().startsWith('/', 'an absolute path').optional(),
    about: 'Absolute path of the model of whisper.cpp, in its ggml format; required with SPEECH=whisper-cpp.',
  },
  SPEECH_URL: {
    check: z.url({ protocol: /^https?$/ }).optional(),
    about:
      'Address of the service up to /audio/transcriptions, such as https://api.openai.com/v1; required with ' +
      'SPEECH=openai. It may be in a private network; use https elsewhere, because audio and key are sent to it.',
  },
  SPEECH_API_KEY: {
    secret: true,
    check: z.string().optional(),
    about: 'Key of the service at SPEECH_URL, if it needs one.',
  },
  SPEECH_MODEL: { check: z.string().default('whisper-1'), about: 'Model that the service at SPEECH_URL uses.' },
  TRANSLATION: {
    check: z.enum(['off', 'openai']).default('off'),
    about: 'What translates captions: openai (any service with the chat API of OpenAI) or off.',
  },
  TRANSLATION_URL: {
    check: z.url({ protocol: /^https?$/ }).optional(),
    about:
      'Address of the service up to /chat/completions, such as https://api.openai.com/v1; required with ' +
      'TRANSLATION=openai. As for SPEECH_URL.',
  },
  TRANSLATION_API_KEY: {
    secret: true,
    check: z.string().optional(),
    about: 'Key of the service at TRANSLATION_URL, if it needs one.',
  },
  TRANSLATION_MODEL: {
    check: z.string().optional(),
    about: 'Model that the service at TRANSLATION_URL uses; required with TRANSLATION=openai.',
  },
  UPSCALE_MODELS: {
    check: z.string().startsWith('/', 'an absolute path').optional(),
    about:
      'Absolute path of a folder on the workers with your own models for upscaling, *.onnx; all workers need the ' +
      'same files.',
  },
  UPSCALE_PROVIDERS: {
    check: z
      .string()
      .regex(
        /^(auto|cpu|cuda|tensorrt|webgpu)(,(cpu|cuda|tensorrt|webgpu))*$/,
        'auto, or some of cpu, cuda, tensorrt and webgpu, separated by commas',
      )
      .default('cpu'),
    about:
      'What ONNX Runtime may upscale with: cpu, cuda, tensorrt, webgpu, or auto for all of them. Workers measure ' +
      'each and use the fastest whose pictures are those of the CPU.',
  },
  UPSCALE_GPU_FILES: {
    check: z
      .string()
      .regex(/^\/[^,]+(,\/[^,]+)*$/, 'absolute paths, separated by commas')
      .optional(),
    about:
      'Devices below /dev, and files and folders with libraries, that upscaling may use in the sandbox for a GPU, ' +
      'separated by commas; devices also get a weaker filter of system calls.',
  },
  TRUST_PROXY: { check: flag.default('off'), about: 'Whether a proxy of yours sets X-Forwarded-For.' },
  SHARED_CACHE: {
    check: flag.default('off'),
    about:
      'Whether a cache of yours in front of the server (a CDN, nginx) may keep segments and images at signed ' +
      'addresses for a minute; its key must be the whole path.',
  },
  METRICS: {
    check: z.enum(['private', 'public']).default('private'),
    about: 'Who may read /metrics: private (loopback and private networks, not through a proxy) or public.',
  },
} as const;
