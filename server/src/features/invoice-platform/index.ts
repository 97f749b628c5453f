import { createHttpsPlatform } from '../../adapters/invoice-platform/https-platform.ts';
import type { InvoicePlatform } from '../../adapters/invoice-platform/invoice-platform.ts';
import type { Config } from '../../config.ts';

export { auditHandovers } from './audit-handovers.ts';
export { measureHandovers } from './handover-metrics.ts';
export { sendAgain } from './send-again.ts';

/** Null when invoices are handed to no platform. */
export const openPlatform = ({ einvoice: { url, token } }: Pick<Config, 'einvoice'>): InvoicePlatform | null =>
  url === null ? null : createHttpsPlatform({ url, token });
