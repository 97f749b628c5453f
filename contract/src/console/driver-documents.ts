/** Papers that a driver must have. In a file without the schema library, so that the web app does not bundle it. */
export const DRIVER_DOCUMENTS = [
  'driving_licence',
  'vehicle_insurance',
  'identity_card',
  'work_permit',
  'company_registration',
  'medical_check',
] as const;
export type DriverDocumentKind = (typeof DRIVER_DOCUMENTS)[number];
