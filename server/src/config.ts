/** The only reader of the environment. Every variable has a description and a default fit for development. */
import { userInfo } from 'node:os';

interface Variable<T> {
  description: string;
  default: string;
  parse: (text: string) => T;
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

const addressList = (value: string) => (value === '' ? false : value.split(',').map((item) => item.trim()));

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
    description: 'Redis: request limits. Losing it loses no data.',
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
  ACTIVATION_LEAD_MINUTES: {
    description: 'How long before its slot a programmed shipment starts to look for a driver.',
    default: '60',
    parse: integer(0, 10_080),
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
  activationLeadMinutes: number;
  drainSeconds: number;
  logLevel: Parsed['LOG_LEVEL'];
  trustedProxies: string[] | false;
}

export class ConfigError extends Error {}

export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const read = (name: keyof Variables): unknown => {
    const { default: fallback, parse } = VARIABLES[name];
    try {
      return parse(environment[name] ?? fallback);
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
    activationLeadMinutes: parsed.ACTIVATION_LEAD_MINUTES,
    drainSeconds: parsed.DRAIN_SECONDS,
    logLevel: parsed.LOG_LEVEL,
    trustedProxies: parsed.TRUSTED_PROXIES,
  };
}
