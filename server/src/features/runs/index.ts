export { serveRuns } from './commands.ts';
export { lockRunOrNothing, readRun } from './read-runs.ts';
