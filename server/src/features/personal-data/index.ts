export { auditErasedKeys, auditOtherPersonalData, auditPersonalData, isAboutPersonalData } from './audit.ts';
export { erasePerson } from './erase-person.ts';
export { listReceipts } from './erasure-receipts.ts';
export { exportPerson } from './export-person.ts';
export type { Retention } from './retention.ts';
export { readSubject, type Subject } from './subject.ts';
