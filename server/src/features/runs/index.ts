export { serveRuns } from './run-commands.ts';
