import { Resolver } from 'node:dns/promises';

/** All addresses of a host name; fails when there are none. */
export type ResolveHost = (name: string) => Promise<string[]>;

const RETRIES = { timeout: 1_500, tries: 2 };

/**
 * Queries DNS directly. The system's look-up (getaddrinfo) uses the process's four shared threads, so a few names whose
 * servers never respond would block all others. /etc/hosts is not read, hence the special case for localhost.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver(RETRIES);
  return async (name) => {
    if (/^([^.]+[.])*localhost[.]?$/i.test(name)) return ['127.0.0.1'];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return addresses;
  };
}
