import { fieldErrors } from '../../refusals/refusal.ts';
import { toCents } from './money.ts';

/** An amount of a body in cents; refuses fractions of a cent. */
export function readAmount(euros: number, path = 'amount'): number {
  const cents = toCents(euros);
  if (cents !== null) return cents;
  throw fieldErrors([{ type: 'field', msg: 'Au plus deux décimales.', path, location: 'body' }]);
}
