import type { InboxEntry } from '@navette/contract';

/** The number to call, in international form, if the facts have one. */
export function phoneOf({ facts }: Pick<InboxEntry, 'facts'>): string | null {
  const found = facts.phone ?? facts.driverPhone ?? facts.merchantPhone;
  return typeof found === 'string' && found !== '' ? found.replaceAll(/[^+\d]/g, '') : null;
}

/** As people in France write it: 06 12 34 56 78. Other numbers as they are. */
export function phoneText(phone: string): string {
  const national = phone.replace(/^(\+33|0033)/, '0');
  return /^0\d{9}$/.test(national) ? (national.match(/\d{2}/g)?.join(' ') ?? phone) : phone;
}
