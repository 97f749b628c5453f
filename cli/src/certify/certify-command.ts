import { wrongCall } from '../failure.ts';
import { type Options, readTarget, setting } from '../settings.ts';
import { finishReport, printResult, REPORT_OPTIONS } from './publish-report.ts';
import { runChecks } from './run-checks.ts';

export const certifyCommand = {
  name: 'certify',
  positionals: [],
  summary: 'Check a webhook receiver, and report what to correct',
  details:
    'Sends signed and forged events to your receiver, and judges its answers. It needs no API key. Run it against a test\ninstance: your program gets events of shipments that do not exist. Exit code 0 when no check failed, 1 otherwise.',
  options: [
    { name: 'webhook', value: 'URL', description: 'the receiver, such as localhost:4000/navette (required)' },
    { name: 'secret', value: 'TEXT', description: 'its webhook secret (NAVETTE_WEBHOOK_SECRET; required)' },
    {
      name: 'processed',
      value: 'URL',
      description: 'returns how many events of the shipment {id} were processed, as a number',
    },
    ...REPORT_OPTIONS,
  ],
  example:
    "certify --webhook localhost:4000/navette --secret whsec --processed 'http://localhost:4000/processed/{id}' --html report.html",
  needsApi: false,
  async run({ options }: { options: Options }) {
    const { webhook, processed } = options;
    const secret = setting(options, 'secret', 'NAVETTE_WEBHOOK_SECRET');
    if (typeof webhook !== 'string') throw wrongCall('--webhook is missing: the address of your receiver');
    if (!secret) throw wrongCall('--secret is missing: the secret with which your receiver verifies signatures');
    if (typeof processed === 'string' && !processed.includes('{id}')) {
      throw wrongCall('--processed needs {id} in the address, such as http://localhost:4000/processed/{id}');
    }
    const target = {
      url: readTarget(webhook),
      secret,
      processed: typeof processed === 'string' ? processed.replace(/^(?!https?:)/, 'http://') : null,
    };
    return finishReport(await runChecks(target, (result) => printResult(result, options)), options);
  },
} as const;
