import type { Page } from 'playwright-core';

export interface Load {
  bytes: number;
  requests: number;
  shift: number;
}

/** Bytes over the wire as measured by the browser, including headers. */
const LOADED = `new Promise((tell) => {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const bytes = entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => tell({ bytes, requests: entries.length, shift })));
})`;

/** Bytes, requests and layout shift of a page since its navigation. */
export const measureLoad = async (page: Page): Promise<Load> => (await page.evaluate(LOADED)) as Load;
