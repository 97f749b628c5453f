import { BASE_PATH, ENDPOINTS, type Endpoint, ERROR_SLUGS, scopeOf } from '@navette/contract';
import type { Command } from 'commander';
import { createProgram } from '../src/cli/program.ts';
import { VARIABLES } from '../src/config.ts';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: string[], rows: string[][]) =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const generated = '<!-- Generated from contract/ by `npm run generate`; edits are lost. -->';

export function endpointsPage(): string {
  const endpoints = Object.values<Endpoint>(ENDPOINTS);
  const sections = [...new Set(endpoints.map((endpoint) => endpoint.section))];
  const parts = sections.map((section) => {
    const rows = endpoints
      .filter((endpoint) => endpoint.section === section)
      .map((endpoint) => [
        `\`${endpoint.method} ${endpoint.path}\``,
        scopeOf(endpoint.method),
        `${endpoint.summary}.`,
        endpoint.refusals?.map((slug) => `\`${slug}\``).join(', ') ?? '',
      ]);
    return `## ${section}\n\n${table(['Endpoint', 'Scope', 'What it does', 'Refusals of its own'], rows)}`;
  });
  const head = `# Endpoints\n\n${generated}\n\nPaths start with \`${BASE_PATH}\`. Bodies, answers and a place to try them are at \`/docs\` of a running server;\nthe same as OpenAPI 3.1 is in [contract/openapi.json](../contract/openapi.json).`;
  return `${[head, ...parts].join('\n\n')}\n`;
}

export function errorsPage(): string {
  const slugs = Object.entries(ERROR_SLUGS).map(([slug, { status, cause, remedy, extra }]) => [
    String(status),
    `\`${slug}\``,
    cause,
    remedy,
    Object.keys(extra)
      .map((field) => `\`${field}\``)
      .join(', '),
  ]);
  return `# Errors

${generated}

Every failure is JSON with \`success: false\`. Branch on the HTTP status first, then on \`error\` where there is one.
\`message\` is French prose for a person and may change. A 5xx may come from something between you and us, and then may not be JSON.

## With a slug

\`{success, error, message}\`, and the fields of the last column.

${table(['Status', '`error`', 'Cause', 'What to do', 'More fields'], slugs)}
| 400 | \`VALIDATION_ERROR\` | Any failure of a webhook write. | Read \`details\`, in logs only. | \`details\` |

## Without a slug

${table(
  ['Status', 'Shape', 'When', 'What to do'],
  [
    [
      '400',
      '`{success, errors: [{type, msg, path, location}]}`',
      'Fields are missing or wrong: all of them at once.',
      'Correct the fields that `path` names.',
    ],
    [
      '400',
      '`{success, message}`',
      'A rule refused it (slot, credit limit, no weight), the JSON cannot be read, or, on POST /shipping and POST /rates, we failed.',
      'Correct it; if nothing is wrong, retry with the same idempotency key and quote the reference in the message.',
    ],
    [
      '404',
      '`{success, message}`',
      'Unknown, or of another account: never told apart.',
      'Check the id and the account.',
    ],
    ['413, 415', '`{success, message}`', 'The body is too large, or is not JSON.', 'Send smaller JSON.'],
    [
      '408, 431',
      '`{success, message}`',
      'The request took five minutes to arrive, or its address and headers exceed 16 KiB.',
      'Retry; send shorter headers.',
    ],
    [
      '429',
      '`{success, message, window}`',
      'A window (`minute`, `hour`, `day`) is used up.',
      'Wait for `X-RateLimit-Reset` on `minute`; queue for later on the others.',
    ],
  ],
)}

## In a batch

Entries of \`errors\` are \`{index, error, code}\`: here \`error\` is the prose and \`code\` the slug, or null.
`;
}

export function settingsTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, { default: fallback, description }]) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    description,
  ]);
  return `\n${table(['Variable', 'Default', 'What it is'], rows)}\n\n`;
}

export function commandsTable(): string {
  const rows = leavesOf(createProgram()).map((command) => [
    `\`${usageOf(command)}\``,
    asSentence(command.description()),
  ]);
  return `\n${table(['Command', 'What it does'], rows)}\n\n`;
}

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** `account credit ACCOUNT --amount EUR`: what cannot be left out, and arguments in brackets that can. */
function usageOf(command: Command): string {
  const path: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
  const args = command.registeredArguments.map((argument) => {
    const shown = argument.argChoices?.join('|') ?? argument.name().toUpperCase();
    return argument.required ? shown : `[${shown}]`;
  });
  const options = command.options
    .filter(({ mandatory }) => mandatory)
    .map(({ flags }) => flags.replace(/<(.*)>/, (_, value: string) => value.toUpperCase()));
  return [...path, ...args, ...options].join(' ');
}

const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
