/** Parts of the API that a key can be narrowed to. */
export const KEY_RESOURCES = ['shipments', 'rates', 'account', 'webhooks', 'events'] as const;
export type KeyResource = (typeof KEY_RESOURCES)[number];

/** Networks and resources of one key, at most. */
export const MAX_KEY_NETWORKS = 20;

/** Restrictions of a key. Null: without this one. */
export interface KeyNarrowing {
  networks: string[] | null;
  resources: KeyResource[] | null;
}

/** The first matching prefix of the path decides. The check of credentials belongs to every key. */
const RESOURCE_OF: [prefix: string, resource: KeyResource | 'any'][] = [
  ['/shipping/auth/test', 'any'],
  ['/shipping/pickup-address', 'account'],
  ['/shipping', 'shipments'],
  ['/rates', 'rates'],
  ['/account', 'account'],
  ['/webhooks', 'webhooks'],
  ['/feed/events', 'events'],
];

/** Whether a key that is narrowed to these resources may call the endpoint. Paths that no resource has are refused. */
export function isResourceAllowed(path: string, resources: ReadonlySet<KeyResource>): boolean {
  const found = RESOURCE_OF.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
  return found === 'any' || (found !== undefined && resources.has(found));
}
