/** The only reader of the environment. The settings are listed in config/settings.ts. */
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { BadValue } from './config/parsers.ts';
import { SETTINGS, Setting } from './config/settings.ts';
import { isLoopback } from './network/is-loopback.ts';

export { LOGS_KEPT_DAYS } from './config/settings.ts';

type Values<T> = { [K in keyof T]: T[K] extends Setting<infer V> ? V : Values<T[K]> };
type Parsed = Values<typeof SETTINGS>;
export type Config = Omit<Parsed, 'publicUrl' | 'databaseDirectUrl'> & { publicUrl: string; databaseDirectUrl: string };

interface SettingGroup {
  [key: string]: Setting<unknown> | SettingGroup;
}

const listSettings = (group: SettingGroup): Setting<unknown>[] =>
  Object.values(group).flatMap((entry) => (entry instanceof Setting ? [entry] : listSettings(entry)));

/** By the name of the environment variable, for documentation and checks. */
export const VARIABLES: Record<string, Pick<Setting<unknown>, 'default' | 'description'>> = Object.fromEntries(
  listSettings(SETTINGS).map((entry) => [entry.name, entry]),
);

/** Secrets of the service itself. Their defaults are public, so an installation must set each of them. */
export const SECRET_VARIABLES: readonly string[] = listSettings(SETTINGS).flatMap((entry) =>
  entry.isSecret ? entry.name : [],
);

/** Secrets that still include their public default, which is accepted on a development machine only. */
export const secretsWithDefault = (environment: Record<string, string | undefined> = process.env): string[] =>
  listSettings(SETTINGS).flatMap((entry) =>
    entry.isSecret && includesDefault(entry, environment[entry.name] ?? entry.default) ? entry.name : [],
  );

const includesDefault = (entry: Setting<unknown>, given: string): boolean =>
  given.split(',').some((item) => item.trim() === entry.default);

export class ConfigError extends Error {}

/** Why other machines may reach the service, or null on a development machine. */
function reachedFromElsewhere(host: string, publicUrl: string): string | null {
  if (!isLoopback(host)) return `HOST is ${host || 'empty'}, not a loopback address`;
  if (publicUrl === '') return null;
  if (!URL.canParse(publicUrl)) return 'PUBLIC_URL is not on loopback';
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'http:') return 'PUBLIC_URL is not plain http'; // TLS on loopback: a proxy serves other machines
  return isLoopback(hostname) ? null : 'PUBLIC_URL is not on loopback';
}

/** Throws one ConfigError that names every wrong setting. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const textOf = (entry: Setting<unknown>) => environment[entry.name] ?? entry.default;
  const elsewhere = reachedFromElsewhere(textOf(SETTINGS.host), textOf(SETTINGS.publicUrl));

  const read = (entry: Setting<unknown>): unknown => {
    const given = textOf(entry);
    if (entry.isSecret && elsewhere && includesDefault(entry, given)) {
      problems.push(
        `${entry.name} must be set to a value of its own, such as the output of \`openssl rand -hex 32\`: ${elsewhere}`,
      );
    }
    try {
      return entry.parse(given);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${entry.name} must be ${error.message}`);
      return undefined;
    }
  };
  const readGroup = (group: SettingGroup): object =>
    Object.fromEntries(
      Object.entries(group).map(([key, entry]) => [key, entry instanceof Setting ? read(entry) : readGroup(entry)]),
    );

  const parsed = readGroup(SETTINGS) as Parsed;
  // Without the other, payments would be taken and never credited, or events refused.
  if (problems.length === 0 && (parsed.stripe.secretKey === null) !== (parsed.stripe.webhookSecrets.length === 0))
    problems.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS must be set together');
  if (problems.length === 0 && (parsed.einvoice.url === null) !== (parsed.einvoice.token === ''))
    problems.push('EINVOICE_URL and EINVOICE_TOKEN must be set together');
  if (problems.length === 0 && parsed.cell !== null && parsed.directoryUrl === null)
    problems.push('DIRECTORY_URL must be set together with CELL');
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return {
    ...parsed,
    publicUrl: parsed.publicUrl ?? `http://${parsed.host}:${parsed.port}`,
    databaseDirectUrl: parsed.databaseDirectUrl ?? parsed.databaseUrl,
  };
}

export interface Build {
  version: string;
  commit: string | null;
  builtAt: string | null;
}

/** Commit and time are not settings: the build of an image or an installation records them. */
export function readBuild(environment: Record<string, string | undefined> = process.env): Build {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Build;
  return { version, commit: environment.NAVETTE_COMMIT || null, builtAt: environment.NAVETTE_BUILT_AT || null };
}

/** The person at the command line: the user who called sudo, or the system user, and the host. */
export function readSystemUser(environment: Record<string, string | undefined> = process.env): string {
  return `${environment.SUDO_USER || nameOfUser()}@${hostname()}`;
}

/** A container may run with a user id that has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
