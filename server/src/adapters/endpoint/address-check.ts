import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by number, but the host of a virtual machine answers there: Azure's agent hands out secrets on it. */
const NOT_FOR_US = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3'); // all of IPv6 that is assigned to the public Internet

/** Whether a merchant's address may be connected to: everything that is not plainly public is refused. */
export type AddressCheck = (address: string) => boolean;

/** Allowed are public addresses, and the networks that the operator opened by name. */
export function createAddressCheck(allowedNetworks: readonly string[]): AddressCheck {
  const opened = new BlockList();
  for (const network of allowedNetworks) {
    const [address = '', length] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    opened.addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (text) => {
    if (!isIP(text)) return false;
    const address = ipaddr.process(text); // ::ffff:127.0.0.1 is 127.0.0.1
    return opened.check(address.toString(), address.kind()) || isPublic(address);
  };
}

/**
 * The library's "unicast" is what belongs to no special range: not private, loopback, link-local (cloud metadata),
 * shared (CGNAT), multicast, documentation or reserved, nor IPv6 that carries an IPv4 address (NAT64, 6to4, Teredo).
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return !NOT_FOR_US.has(address.toString());
  return address.match(GLOBAL_UNICAST) && !isIsatap(address);
}

/** Any network can carry IPv4 in its last 32 bits by the ISATAP convention: …:0:5efe:127.0.0.1. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}
