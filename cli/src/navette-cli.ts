import { run } from './run.ts';

const abort = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort());
process.exitCode = await run(process.argv.slice(2), abort.signal);
