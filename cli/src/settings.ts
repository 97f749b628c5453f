import { wrongCall } from './failure.ts';

/** How the API is reached. */
export interface Connection {
  url: string;
  apiKey: string;
  clientId: string;
  isTest: boolean;
}

export type Options = Record<string, string | boolean | undefined>;

const TEST_PREFIX = 'navette_test_';

/** An option of the command, or its variable of the environment. The only place that reads the environment. */
export function setting(options: Options, name: string, variable: string): string | undefined {
  const given = options[name];
  return (typeof given === 'string' && given) || process.env[variable] || undefined;
}

export function readConnection(options: Options): Connection {
  const wanted = [
    ['url', 'NAVETTE_URL', 'the address of the service, such as https://api.example.org'],
    ['key', 'NAVETTE_API_KEY', 'an API key; the dashboard creates one under "API keys"'],
    ['client-id', 'NAVETTE_CLIENT_ID', 'the client id; the dashboard shows it under "API keys"'],
  ] as const;
  const [url = '', apiKey = '', clientId = ''] = wanted.map(([name, variable]) => setting(options, name, variable));
  const missing = wanted.filter((_, i) => ![url, apiKey, clientId][i]);
  if (missing.length > 0) {
    const lines = missing.map(([name, variable, what]) => `  ${variable} or --${name}: ${what}`);
    throw wrongCall(`Set these first:\n${lines.join('\n')}`);
  }
  if (!URL.canParse(url))
    throw wrongCall(`${url} is no address. Set NAVETTE_URL to one such as https://api.example.org`);
  return { url, apiKey, clientId, isTest: apiKey.startsWith(TEST_PREFIX) };
}

/** The environment of a program that the command starts, with this connection. */
export const environmentWith = ({ url, apiKey, clientId }: Omit<Connection, 'isTest'>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ NAVETTE_URL: url, NAVETTE_API_KEY: apiKey, NAVETTE_CLIENT_ID: clientId },
});

/** For commands that change something: only test mode allows it. */
export function readTestConnection(options: Options): Connection {
  const connection = readConnection(options);
  if (connection.isTest) return connection;
  throw wrongCall(
    `This command works in test mode only. Set NAVETTE_API_KEY to a key that starts with ${TEST_PREFIX}: switch the dashboard to test mode and create one under "API keys".`,
  );
}

/** `localhost:4000/path` is `http://localhost:4000/path`. */
export function readTarget(text: string): URL {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) throw wrongCall(`${text} is no address. Give one such as http://localhost:4000/navette`);
  return new URL(address);
}
