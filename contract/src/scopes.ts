export const SCOPES = ['read', 'write', 'delete'] as const;
export type Scope = (typeof SCOPES)[number];

/** `delete` is given only to a key that asks for it. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The method alone decides the scope, so a quote (POST) needs `write` although it changes nothing. */
export function scopeOf(method: string): Scope {
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (method === 'DELETE') return 'delete';
  return 'write';
}
