import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether a host of a setting or a URL is a loopback address. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1'); // IPv6 in a URL is in brackets
  const version = isIP(address);
  return version === 0
    ? address.toLowerCase() === 'localhost'
    : LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
