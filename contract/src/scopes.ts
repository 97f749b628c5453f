export const SCOPES = ['read', 'write', 'delete'] as const;
export type Scope = (typeof SCOPES)[number];

/** A key has `delete` only if it was requested. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The method alone determines the scope, so a quote (POST) needs `write` although it changes nothing. */
export function scopeOf(method: string): Scope {
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (method === 'DELETE') return 'delete';
  return 'write';
}
