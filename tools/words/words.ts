/** A word or phrase that this project avoids, and what to write instead. docs/writing.md has the rule. */
export interface AvoidedWord {
  /** Every form, separated by commas. A phrase also matches as a camelCase, snake_case or kebab-case name. */
  find: string;
  use: string;
  /** Uses that are right: a longer phrase around the word, or a file (or folder, ending in a slash), and the reason. */
  allow?: Allowed[];
}

export type Allowed = { phrase: string; why: string } | { file: string; why: string };

export const AVOIDED: AvoidedWord[] = [
  // Concurrency
  { find: 'in a circle, circle of locks', use: 'deadlock, lock order' },
  {
    find: 'ring, rings, rang',
    use: 'wake, notify, schedule; for locks: deadlock, lock order',
    allow: [{ phrase: 'ring road', why: 'a road' }],
  },
  { find: 'alarm clock', use: 'timer, scheduled job' },
  { find: 'timetable', use: 'schedule' },
  { find: 'handful, handfuls', use: 'batch, chunk' },
  { find: 'behind the back', use: 'after the response was sent, asynchronously' },
  { find: 'bystander, bystanders', use: 'another tenant, an unaffected account' },

  // Requests, commands, messages
  { find: 'knock, knocks, knocked, knocking', use: 'connect, call, handshake' },
  { find: 'obey, obeys, obeyed', use: 'handle, execute' },
  { find: 'voice', use: 'sender, publisher, push' },
  { find: 'spoken, spoke', use: 'used, sent; the channel of the request' },
  {
    find: 'hear, hears, heard, hearing',
    use: 'receive, be notified',
    allow: [{ phrase: 'webhook heard', why: 'a field of the dashboard API' }],
  },
  { find: 'told', use: 'notified, informed; returned, passed' },
  {
    find: 'carry out, carries out, carried out',
    use: 'run, handle, execute',
    allow: [{ phrase: 'carry out import', why: 'the name of a queue, which is stored' }],
  },
  { find: 'speak, speaks', use: 'implement, use (a protocol)' },
  { find: 'lets in, let in', use: 'authenticate, allow' },
  { find: 'capitals worth', use: 'uppercase label' },
  { find: 'says no, say no, said no, says yes, say yes, a yes', use: 'refuses, accepts; a refusal' },
  { find: 'said of, say of', use: 'applies to' },
  { find: 'goodbye', use: 'close message' },
  { find: 'left alone, leave alone, leaves alone', use: 'not handled, unchanged' },
  { find: 'foresaw, foresee, foresees, foreseen', use: 'expected, defined by the contract' },

  // Buildings and bodies
  {
    find: 'door, doors, doorman',
    use: 'guard, authentication, entry point; the public API',
    allow: [
      { phrase: 'door code', why: 'an instruction for drivers' },
      { phrase: 'door codes', why: 'instructions for drivers' },
      { phrase: 'to the door', why: 'the time until a recipient has the parcel' },
      { file: 'apps/console/src/i18n/en/figures.ts', why: 'the time until a recipient has the parcel' },
      { file: 'apps/console/src/i18n/fr/figures.ts', why: 'the time until a recipient has the parcel' },
      { file: 'apps/console/src/pages/figures/', why: 'the time until a recipient has the parcel' },
      { file: 'contract/console-openapi.json', why: 'the time until a recipient has the parcel' },
      { file: 'contract/src/console/figures.ts', why: 'the time until a recipient has the parcel' },
      { file: 'e2e/console/pages.ts', why: 'the time until a recipient has the parcel' },
      { file: 'server/src/database/json-columns.ts', why: 'the time until a recipient has the parcel' },
      { file: 'server/src/database/migrations/0040_figures.sql', why: 'the time until a recipient has the parcel' },
      { file: 'server/src/database/tables.ts', why: 'the time until a recipient has the parcel' },
      { file: 'server/src/features/figures/', why: 'the time until a recipient has the parcel' },
      { file: 'server/test/fill-figures.ts', why: 'the time until a recipient has the parcel' },
    ],
  },
  {
    find: 'room, rooms',
    use: 'module, feature; space, capacity',
    allow: [
      { phrase: 'room for', why: 'plain English for capacity' },
      { phrase: 'meeting room', why: 'part of an address' },
      { phrase: 'driver room', why: 'a room of Socket.IO' },
      { file: 'server/src/http/driver-socket-limits.ts', why: 'the rooms of Socket.IO' },
      { file: 'server/src/realtime/socket-adapter.ts', why: 'the rooms of Socket.IO' },
    ],
  },
  { find: 'operator hands, hands outcome, with hands, in the hands, in hands', use: 'context; carried by' },
  { find: 'purse, purses', use: 'balance' },
  { find: 'birth, births, born', use: 'creation, created; initial' },
  { find: 'into the world, world outside, in the world', use: 'inserts, creates; external systems' },
  { find: 'found laptop, open laptop', use: 'unattended session; re-authenticate' },

  // Names
  { find: 'create creator, create creating', use: 'createShipmentWriter; one verb, one noun' },
  { find: 'steer, steers, steered', use: 'control, pause or resume' },
  { find: 'word errors', use: 'error messages' },

  // Subjects that name nobody
  { find: 'whoever, whomever', use: 'the person: the caller, the driver, any reader' },
  {
    find: 'for who, to who, of who, from who, with who, by who',
    use: 'the person: "for members without e-mail"',
  },
  { find: 'for what must, before what, by what is, for what is', use: 'the thing itself' },

  // Old or literary words
  { find: 'mend, mends, mended, mending', use: 'fix, repair' },
  { find: 'anew', use: 'again' },
  { find: 'lately', use: 'recently' },
  { find: 'thereby, therein, thereof, hitherto', use: 'by this, in it, so far' },
  {
    find: 'telephone, telephones',
    use: 'phone',
    allow: [
      { file: 'server/src/features/tracking/page.ts', why: 'a value of the format-detection meta element' },
      { file: 'server/src/features/imports/import-columns.ts', why: 'a French column title' },
    ],
  },
  { find: 'photograph, photographs, photographed', use: 'screenshot' },
  { find: 'stands in, stands with, stands beside, stands at, stand beside, stand with', use: 'is in, is beside' },
  { find: 'the way of a, the way of the', use: 'the path of, the lifecycle of' },
  { find: 'at night', use: 'during an incident' },
];

/** Files without words of our own: generated, vendored, or quoting what is to be avoided. */
export const SKIPPED = [
  'package-lock.json',
  'contract/openapi.json',
  'contract/driver-openapi.json',
  'contract/dashboard-openapi.json',
  'server/src/adapters/geocoder/towns.tsv',
  'docs/terms.md',
  'docs/writing.md',
  'tools/words/',
];
