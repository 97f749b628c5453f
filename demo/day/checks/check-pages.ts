import type { Day } from '../day.ts';

const MOST_LOOKED_AT = 40;

/** Once it has served, the code is gone from the recipient's page. */
export async function checkPages({ book, recipients }: Day): Promise<{ violations: string[]; lookedAt: number }> {
  const violations: string[] = [];
  const told = [...book.stories.values()].filter(({ code }) => code !== null).slice(0, MOST_LOOKED_AT);
  for (const story of told) {
    const page = await recipients.pageOf(story);
    if (page?.status !== 200) violations.push(`${story.referenceNumber}: its page answers ${page?.status}`);
    const spaced = Array.from(story.code ?? '').join(' ');
    if (page?.body.includes(spaced)) violations.push(`${story.referenceNumber}: its page still shows the code`);
  }
  return { violations, lookedAt: told.length };
}
