/** The search parameters of the page. */
export interface LogFilter {
  staffId?: string;
  act?: string;
  subjectId?: string;
}

const FIELDS = ['staffId', 'act', 'subjectId'] as const;

export function readLogFilter(search: Record<string, unknown>): LogFilter {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = search[field];
      return typeof value === 'string' && value !== '' ? [[field, value]] : [];
    }),
  );
}
