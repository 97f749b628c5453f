import { createApi } from './api.ts';
import { explained } from './failure.ts';
import { createOutput } from './output.ts';
import { type Options, readTestConnection } from './settings.ts';

export const resendCommand = {
  name: 'events resend',
  positionals: ['<id>'],
  summary: 'Send a past event to the webhooks of the test account again',
  details: 'The body is the same, the signature is new. `listen` prints the ids of events.',
  options: [{ name: 'json', description: 'print one JSON object' }],
  example: 'events resend 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
  needsApi: true,
  async run({ options, positionals: [id = ''] }: { options: Options; positionals: string[] }) {
    const { webhooks } = await explained(createApi(readTestConnection(options)).resend(id));
    const output = createOutput(options.json === true, (line) => process.stdout.write(`${line}\n`));
    const hint = webhooks === 0 ? ' No active webhook subscribes to it: create one, or use listen --since.' : '';
    output.print({ id, webhooks }, `sent to ${webhooks} webhook${webhooks === 1 ? '' : 's'} again.${hint}`);
    return 0;
  },
} as const;
