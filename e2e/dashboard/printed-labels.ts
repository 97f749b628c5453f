import type { Locator } from 'playwright-core';
import { textOfPages } from '../../server/test/pdf-tools.ts';

/** The text of each label in the file that a button opens in another tab. */
export async function printedBy(button: Locator): Promise<string[]> {
  const page = button.page();
  const isLabels = '**/shipments/labels';
  let pdf: Buffer = Buffer.alloc(0);
  await page.route(isLabels, async (route) => {
    const response = await route.fetch({ timeout: 240_000 });
    pdf = await response.body();
    await route.fulfill({ response });
  });
  await Promise.all([page.waitForEvent('popup'), button.click()]);
  await page.unroute(isLabels);
  return textOfPages(pdf);
}
