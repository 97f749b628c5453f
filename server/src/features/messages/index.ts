export { auditMessages } from './audit.ts';
export type { MessageSettings } from './compose-message.ts';
export { listMessagesOfAnyAccount } from './list-messages.ts';
export { listShipmentMessages } from './list-shipment-messages.ts';
export { measureMessages } from './message-metrics.ts';
export { writeMessages } from './write-messages.ts';
