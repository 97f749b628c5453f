import { BlockList, isIP } from 'node:net';
import { KEY_RESOURCES, type KeyNarrowing } from '@navette/contract';
import ipaddr from 'ipaddr.js';
import type { KeyRestrictions } from '../../http/caller.ts';

/** Null for a key without restrictions, whose requests pay nothing for them. */
export function compileNarrowing(networks: string[] | null, resources: string[] | null): KeyRestrictions | null {
  if (!networks && !resources) return null;
  return {
    networks: networks && toBlockList(networks),
    resources: resources && new Set(KEY_RESOURCES.filter((resource) => resources.includes(resource))),
  };
}

function toBlockList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Addresses and CIDR networks in normal form, each once: `10.1.2.3/8` becomes `10.0.0.0/8`. Null if one is invalid. */
export function readNetworks(texts: readonly string[]): string[] | null {
  const networks = texts.map((text) => readNetwork(text.trim()));
  return networks.some((network) => network === null) ? null : [...new Set(networks as string[])];
}

function readNetwork(text: string): string | null {
  const [address = '', prefix] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return null;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return null;
  const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
  if (bits > (version === 4 ? 32 : 128)) return null;
  const kind = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}

/** The restrictions as they are stored: an empty list means none. Null if a network is invalid. */
export function toStored({ networks, resources }: KeyNarrowing): KeyNarrowing | null {
  const known = networks && readNetworks(networks);
  if (networks && !known) return null;
  return {
    networks: known && known.length > 0 ? known : null,
    resources: resources && resources.length > 0 ? [...new Set(resources)] : null,
  };
}

/** Whether a key may do something that it could not do before: from another network, or with another resource. */
export function isWidened(before: KeyNarrowing, after: KeyNarrowing): boolean {
  return (
    exceeds(before.resources, after.resources, (known, resource) => known.includes(resource)) ||
    exceeds(before.networks, after.networks, (known, network) => known.some((outer) => contains(outer, network)))
  );
}

function exceeds<T>(before: T[] | null, after: T[] | null, covers: (known: T[], one: T) => boolean): boolean {
  if (before === null) return false;
  return after === null || after.some((one) => !covers(before, one));
}

function contains(outer: string, inner: string): boolean {
  const [address = '', bits] = inner.split('/');
  if (Number(bits) < Number(outer.split('/')[1])) return false;
  const version = isIP(address);
  return (
    isIP(outer.split('/')[0] ?? '') === version && toBlockList([outer]).check(address, version === 6 ? 'ipv6' : 'ipv4')
  );
}
