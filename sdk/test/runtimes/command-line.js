// For Node.js, Deno and Bun: settings as one JSON argument, the result as JSON.
import process from 'node:process';
import { runScenario } from './scenario.js';

process.stdout.write(JSON.stringify(await runScenario(JSON.parse(process.argv[2]))));
