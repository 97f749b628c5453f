import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A public address that reaches the host of a virtual machine: Azure's agent serves secrets there. */
const CLOUD_HOSTS = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3'); // all of IPv6 that is assigned to the public Internet

/** Whether a connection to a merchant's address is allowed. Any address that is not clearly public is refused. */
export type AddressCheck = (address: string) => boolean;

/** Allows public addresses and the networks that the operator has configured. */
export function createAddressCheck(allowedNetworks: readonly string[]): AddressCheck {
  const allowed = new BlockList();
  for (const network of allowedNetworks) {
    const [address = '', length] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    allowed.addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (text) => {
    if (!isIP(text)) return false;
    const address = ipaddr.process(text); // ::ffff:127.0.0.1 is 127.0.0.1
    return allowed.check(address.toString(), address.kind()) || isPublic(address);
  };
}

/**
 * The library's "unicast" is any address outside of special ranges: not private, loopback, link-local (cloud metadata),
 * shared (CGNAT), multicast, documentation or reserved, nor IPv6 that embeds an IPv4 address (NAT64, 6to4, Teredo).
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return !CLOUD_HOSTS.has(address.toString());
  return address.match(GLOBAL_UNICAST) && !isIsatap(address);
}

/** ISATAP addresses of any network embed an IPv4 address in the last 32 bits: …:0:5efe:127.0.0.1. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}
