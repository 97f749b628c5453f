export {
  type AssignmentPreview,
  type AssignmentResult,
  type BoardDriver,
  type BoardRefusal,
  type BoardShipment,
  UNDO_SECONDS,
} from './dispatch.ts';
export type { ListedDriver } from './driver-acts.ts';
export * from './driver-documents.ts';
export type { DriverPage, DriverRun } from './drivers.ts';
export type { ConsoleEndpoint } from './endpoint.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './figure-kinds.ts';
export type { FigureRow, PeriodFigures } from './figures.ts';
export type { InboxChange, InboxEntry } from './inbox.ts';
export * from './inbox-kinds.ts';
export type { ConsoleInvoice } from './invoices.ts';
export * from './limits.ts';
export type { MapDriver, MapSettings, MapStop } from './map.ts';
export * from './map-channel.ts';
export type { ListedMerchant } from './merchant-acts.ts';
export type { Merchant, MerchantPage } from './merchants.ts';
export { buildConsoleOpenApi, consoleAnswersOf, consoleRoute } from './openapi.ts';
export type { ConsolePayment } from './payments.ts';
export * from './roles.ts';
export * from './routes.ts';
export type { SearchResult } from './search.ts';
export type { ConsoleSession, Staff } from './session.ts';
export type { ShipmentPage, StoryLine } from './shipment-page.ts';
export type { Approval, AssignableDriver, ConsoleShipment } from './shipments.ts';
export type { OperatorAct, StaffInvitation, StaffListed } from './staff.ts';
export * from './story-kinds.ts';
export type { Zone, ZoneShape } from './zones.ts';
