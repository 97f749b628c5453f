export { MAX_REPORT_CHARACTERS, MAX_REPORTS, saveReportForTokenHolder } from './add-report.ts';
export { listAnyOpenReports, listShipmentReports } from './read-reports.ts';
export { serveReportsToConsole } from './report-console-routes.ts';
