import { Resolver } from 'node:dns/promises';

/** All addresses of a host name; fails when there are none. */
export type ResolveHost = (name: string) => Promise<string[]>;

const PATIENCE = { timeout: 1_500, tries: 2 };

/**
 * Asks DNS directly. The system's look-up (getaddrinfo) shares four threads among the whole process, so that a few
 * names whose servers never answer would keep every other name waiting. /etc/hosts is not read, hence the first line.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver(PATIENCE);
  return async (name) => {
    if (/^([^.]+[.])*localhost[.]?$/i.test(name)) return ['127.0.0.1'];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return addresses;
  };
}
