import type { Day } from '../day.ts';

const MOST_LOOKED_AT = 40;

/** After the delivery, the recipient's page no longer shows the code. */
export async function checkPages({ journal, recipients }: Day): Promise<{ violations: string[]; lookedAt: number }> {
  const violations: string[] = [];
  const withCode = [...journal.trackedShipments.values()].filter(({ code }) => code !== null).slice(0, MOST_LOOKED_AT);
  for (const tracked of withCode) {
    const page = await recipients.pageOf(tracked);
    if (page?.status !== 200) violations.push(`${tracked.referenceNumber}: its page answers ${page?.status}`);
    const spaced = Array.from(tracked.code ?? '').join(' ');
    if (page?.body.includes(spaced)) violations.push(`${tracked.referenceNumber}: its page still shows the code`);
  }
  return { violations, lookedAt: withCode.length };
}
