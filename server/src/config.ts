/** The only reader of the environment. Every variable has a description and a default fit for development. */
import { isIP } from 'node:net';
import { userInfo } from 'node:os';

interface Variable<T> {
  description: string;
  default: string;
  parse: (text: string) => T;
  /** The default is known to everybody: a service that people reach by https must be given its own. */
  secret?: true;
}

class BadValue extends Error {}

const text = (value: string) => value;

const integer = (lowest: number, highest: number) => (value: string) => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < lowest || number > highest) {
    throw new BadValue(`a whole number from ${lowest} to ${highest}`);
  }
  return number;
};

const url = (protocols: string[]) => (value: string) => {
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new BadValue(`an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  }
  return value.replace(/\/+$/, '');
};

/** Without a user in it, the system's user is meant, as with psql; the driver alone would look at $USER only. */
const databaseUrl = (value: string) => {
  const address = new URL(url(['postgres:', 'postgresql:'])(value));
  address.username ||= process.env.PGUSER ?? userInfo().username;
  return address.href;
};

const optionalUrl = (protocols: string[]) => (value: string) => (value === '' ? null : url(protocols)(value));

const timeZone = (value: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
  } catch {
    throw new BadValue('a time zone such as Europe/Paris');
  }
  return value;
};

const oneOf =
  <const V extends readonly string[]>(...values: V) =>
  (value: string): V[number] => {
    if (!values.includes(value)) throw new BadValue(`one of ${values.join(', ')}`);
    return value;
  };

const kilometres = (value: string) => {
  const list = value.split(',').map(Number);
  if (list.some((km) => !(km > 0 && km <= 1_000)))
    throw new BadValue('one distance in km per wave, with commas between');
  return list;
};

const addressList = (value: string) => (value === '' ? false : value.split(',').map((item) => item.trim()));

/** Several at a time, so that one can be replaced without breaking what the older one protects. */
const secrets = (value: string) => {
  const list = value.split(',').map((item) => item.trim());
  if (list.some((item) => item.length < 32))
    throw new BadValue('secrets of 32 characters or more, with commas between');
  return list;
};

const mailbox = (value: string) => {
  if (!/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(value))
    throw new BadValue('an address such as Shop <shop@example.org>');
  return value;
};

/** Networks such as 10.0.0.0/8; a single address stands for itself. */
const networks = (value: string) => {
  const list = value.split(',').flatMap((item) => item.trim() || []);
  for (const item of list) {
    const [address = '', length, ...rest] = item.split('/');
    const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (rest.length > 0 || bits < 0 || (length !== undefined && (!/^\d+$/.test(length) || Number(length) > bits))) {
      throw new BadValue('networks such as 127.0.0.0/8 or ::1, with commas between');
    }
  }
  return list;
};

const optionalPort = (value: string) => (value === '' ? null : integer(0, 65_535)(value));

const define = <T extends Record<string, Variable<unknown>>>(variables: T) => variables;

export const VARIABLES = define({
  DATABASE_URL: {
    description: 'PostgreSQL. `navette migrate` creates the database when it is missing.',
    default: 'postgres://127.0.0.1:5432/navette',
    parse: databaseUrl,
  },
  DATABASE_POOL_SIZE: {
    description: 'Connections to PostgreSQL for ordinary requests; creations, exports and jobs take up to 14 more.',
    default: '10',
    parse: integer(2, 500),
  },
  REDIS_URL: {
    description: 'Redis: request limits, driver positions and the drivers’ channel. Losing it loses no data.',
    default: 'redis://127.0.0.1:6379',
    parse: url(['redis:', 'rediss:']),
  },
  REDIS_PREFIX: {
    description: 'Put before every Redis key, so that several installations can share one server.',
    default: 'navette:',
    parse: text,
  },
  HOST: { description: 'Address to listen on; `0.0.0.0` in a container.', default: '127.0.0.1', parse: text },
  PORT: { description: 'Port to listen on; 0 lets the system choose.', default: '3000', parse: integer(0, 65_535) },
  PUBLIC_URL: {
    description: 'Where clients reach the service: the start of every absolute link it gives. Empty: HOST and PORT.',
    default: '',
    parse: optionalUrl(['http:', 'https:']),
  },
  TIME_ZONE: {
    description: 'Zone of slots, pickup times and days.',
    default: 'Europe/Paris',
    parse: timeZone,
  },
  GEOCODER_URL: {
    description:
      'Base of a service that speaks the French national address protocol (`GET /search`). Empty: addresses are found offline, to their town.',
    default: '',
    parse: optionalUrl(['http:', 'https:']),
  },
  LABEL_STORE: {
    description:
      'Where label files are kept once drawn: a directory, or the address of a bucket that speaks S3 (`https://s3.example.org/labels`).',
    default: 'var/labels',
    parse: text,
  },
  S3_REGION: { description: 'Region of the bucket.', default: 'us-east-1', parse: text },
  S3_ACCESS_KEY_ID: { description: 'Key of the bucket.', default: '', parse: text },
  S3_SECRET_ACCESS_KEY: { description: 'Its secret.', default: '', parse: text },
  LABEL_THREADS: {
    description: 'Threads of an api process that draw labels, beside the one that answers requests.',
    default: '1',
    parse: integer(1, 64),
  },
  ACTIVATION_LEAD_MINUTES: {
    description: 'How long before its slot a programmed shipment starts to look for a driver.',
    default: '60',
    parse: integer(0, 10_080),
  },
  DISPATCH_RADIUS_KM: {
    description: 'How far from the pickup drivers are looked for, one figure per wave of offers.',
    default: '3,6,12',
    parse: kilometres,
  },
  DISPATCH_WAVE_SIZE: {
    description: 'Drivers who are offered a run at the same time.',
    default: '3',
    parse: integer(1, 100),
  },
  DISPATCH_OFFER_SECONDS: {
    description: 'How long a driver may think about an offer before the next wave goes out.',
    default: '30',
    parse: integer(1, 3_600),
  },
  DISPATCH_RETRY_SECONDS: {
    description: 'How long after all waves were spent a shipment without a driver is tried again.',
    default: '60',
    parse: integer(1, 86_400),
  },
  DISPATCH_RUNS_PER_DRIVER: {
    description: 'Shipments a driver may have in hand; with as many, none is offered. The operator may assign more.',
    default: '3',
    parse: integer(1, 1_000),
  },
  DRIVER_REQUESTS_PER_MINUTE: {
    description: 'Commands a driver’s app may send in a minute, over both channels together; positions do not count.',
    default: '600',
    parse: integer(1, 1_000_000),
  },
  LINK_SECRETS: {
    description:
      'Sign the links and codes that people carry (tracking page, pickup QR). With commas: the first signs, all are recognised.',
    default: 'for-development-only-not-a-secret',
    parse: secrets,
    secret: true,
  },
  TRACKING_LINK_DAYS: {
    description: 'How long the recipient’s page can be opened after delivery or cancellation.',
    default: '14',
    parse: integer(0, 3_650),
  },
  SMS_URL: {
    description:
      'Who carries SMS: `twilio+https://SID:TOKEN@api.twilio.com`, or `smpp://user:password@host:2775` (`ssmpp:` with TLS). Empty: they stay in the database, for `navette messages`.',
    default: '',
    parse: optionalUrl(['twilio+https:', 'twilio+http:', 'smpp:', 'ssmpp:']),
  },
  SMS_SENDER: {
    description: 'Who an SMS comes from: a number, a name of up to 11 letters, or a Twilio messaging service.',
    default: 'Navette',
    parse: text,
  },
  MAIL_URL: {
    description:
      'Mail relay: `smtp://user:password@host:587` or `smtps://…`. Empty: e-mails stay in the database, for `navette messages`.',
    default: '',
    parse: optionalUrl(['smtp:', 'smtps:']),
  },
  MAIL_FROM: {
    description: 'Who an e-mail comes from.',
    default: 'Navette <bonjour@navette.example>',
    parse: mailbox,
  },
  MESSAGE_RETENTION_DAYS: {
    description: 'After so many days the number, address and text of a message are erased.',
    default: '30',
    parse: integer(1, 3_650),
  },
  WEBHOOK_SECRET_KEYS: {
    description:
      'Encrypt the secrets of webhooks in the database. With commas: the first encrypts, all decrypt; `navette webhook rotate-secrets` brings every secret under the first.',
    default: 'for-development-only-not-a-secret',
    parse: secrets,
    secret: true,
  },
  SECOND_FACTOR_KEYS: {
    description:
      'Encrypt the secrets of members’ second factors. With commas: the first encrypts, all decrypt; a secret comes under the first when its member signs in.',
    default: 'for-development-only-not-a-secret',
    parse: secrets,
    secret: true,
  },
  WEBHOOK_ALLOWED_NETWORKS: {
    description:
      'Networks or addresses, with commas, that webhooks may reach although they are not public: `127.0.0.0/8` in development. Every other private address is refused.',
    default: '',
    parse: networks,
  },
  WORKER_PORT: {
    description: 'Port on HOST where the worker shows /healthz, /readyz and /metrics. Empty: nowhere.',
    default: '',
    parse: optionalPort,
  },
  DRAIN_SECONDS: {
    description: 'How long /readyz says "stopping" before the listener closes, so that a load balancer can look away.',
    default: '0',
    parse: integer(0, 300),
  },
  LOG_LEVEL: {
    description: 'Least important log line to write.',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  TRUSTED_PROXIES: {
    description: 'Addresses or networks, with commas, whose X-Forwarded-For is believed.',
    default: '',
    parse: addressList,
  },
});

type Variables = typeof VARIABLES;
type Parsed = { [Name in keyof Variables]: ReturnType<Variables[Name]['parse']> };

export interface Config {
  databaseUrl: string;
  databasePoolSize: number;
  redisUrl: string;
  redisPrefix: string;
  host: string;
  port: number;
  publicUrl: string;
  timeZone: string;
  geocoderUrl: string | null;
  labelStore: string;
  s3: { region: string; accessKeyId: string; secretAccessKey: string };
  labelThreads: number;
  activationLeadMinutes: number;
  dispatch: {
    radiiKm: number[];
    waveSize: number;
    offerSeconds: number;
    retrySeconds: number;
    runsPerDriver: number;
  };
  driverRequestsPerMinute: number;
  linkSecrets: string[];
  trackingLinkDays: number;
  smsUrl: string | null;
  smsSender: string;
  mailUrl: string | null;
  mailFrom: string;
  messageRetentionDays: number;
  webhookSecretKeys: string[];
  webhookAllowedNetworks: string[];
  secondFactorKeys: string[];
  workerPort: number | null;
  drainSeconds: number;
  logLevel: Parsed['LOG_LEVEL'];
  trustedProxies: string[] | false;
}

export class ConfigError extends Error {}

export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const read = (name: keyof Variables): unknown => {
    const { default: fallback, parse, secret }: Variable<unknown> = VARIABLES[name];
    const given = environment[name] ?? fallback;
    if (secret && given === fallback && environment.PUBLIC_URL?.startsWith('https:')) {
      problems.push(`${name} must be set to a value of its own, such as the output of \`openssl rand -hex 32\``);
    }
    try {
      return parse(given);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${name} must be ${error.message}`);
      return undefined;
    }
  };
  const names = Object.keys(VARIABLES) as (keyof Variables)[];
  const parsed = Object.fromEntries(names.map((name) => [name, read(name)])) as Parsed;
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return {
    databaseUrl: parsed.DATABASE_URL,
    databasePoolSize: parsed.DATABASE_POOL_SIZE,
    redisUrl: parsed.REDIS_URL,
    redisPrefix: parsed.REDIS_PREFIX,
    host: parsed.HOST,
    port: parsed.PORT,
    publicUrl: parsed.PUBLIC_URL ?? `http://${parsed.HOST}:${parsed.PORT}`,
    timeZone: parsed.TIME_ZONE,
    geocoderUrl: parsed.GEOCODER_URL,
    labelStore: parsed.LABEL_STORE,
    s3: {
      region: parsed.S3_REGION,
      accessKeyId: parsed.S3_ACCESS_KEY_ID,
      secretAccessKey: parsed.S3_SECRET_ACCESS_KEY,
    },
    labelThreads: parsed.LABEL_THREADS,
    activationLeadMinutes: parsed.ACTIVATION_LEAD_MINUTES,
    dispatch: {
      radiiKm: parsed.DISPATCH_RADIUS_KM,
      waveSize: parsed.DISPATCH_WAVE_SIZE,
      offerSeconds: parsed.DISPATCH_OFFER_SECONDS,
      retrySeconds: parsed.DISPATCH_RETRY_SECONDS,
      runsPerDriver: parsed.DISPATCH_RUNS_PER_DRIVER,
    },
    driverRequestsPerMinute: parsed.DRIVER_REQUESTS_PER_MINUTE,
    linkSecrets: parsed.LINK_SECRETS,
    trackingLinkDays: parsed.TRACKING_LINK_DAYS,
    smsUrl: parsed.SMS_URL,
    smsSender: parsed.SMS_SENDER,
    mailUrl: parsed.MAIL_URL,
    mailFrom: parsed.MAIL_FROM,
    messageRetentionDays: parsed.MESSAGE_RETENTION_DAYS,
    webhookSecretKeys: parsed.WEBHOOK_SECRET_KEYS,
    webhookAllowedNetworks: parsed.WEBHOOK_ALLOWED_NETWORKS,
    secondFactorKeys: parsed.SECOND_FACTOR_KEYS,
    workerPort: parsed.WORKER_PORT,
    drainSeconds: parsed.DRAIN_SECONDS,
    logLevel: parsed.LOG_LEVEL,
    trustedProxies: parsed.TRUSTED_PROXIES,
  };
}
