/** Import rules. ARCHITECTURE.md describes the modules. */
const module = (name) => `^server/src/${name}`;
const tests = '[.]test[.]ts$';

/** Modules that any part of the server may use. */
const SHARED = [
  'calendar',
  'cells',
  'concurrency',
  'geography',
  'identity',
  'network',
  'observability',
  'output-formats',
  'pdf',
  'realtime',
  'redis',
  'refusals',
  'secrets',
  'validation',
];

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '[.]wasm[?]url$' } },
    {
      name: 'contract-stands-alone',
      comment: 'The contract imports the schema library and itself, nothing else.',
      severity: 'error',
      from: { path: '^contract/src', pathNot: tests },
      to: { pathNot: ['^contract/', 'node_modules/typebox'] },
    },
    {
      name: 'http-knows-no-business',
      comment: 'http may use the contract, the configuration and the shared modules; app.ts passes business to it.',
      severity: 'error',
      from: { path: module('http/'), pathNot: tests },
      to: {
        path: '^server/',
        pathNot: [
          module('http/'),
          module('config[.]ts'),
          module('(calendar|cells|concurrency|network|observability|realtime|refusals|validation)/'),
        ],
      },
    },
    {
      name: 'only-the-api-role-uses-http',
      comment: 'What the worker and the command line use has a module outside of http.',
      severity: 'error',
      from: { path: [module('cli/'), module('worker[.]ts')], pathNot: tests },
      to: { path: module('http/') },
    },
    {
      name: 'shared-modules-know-no-business',
      comment: 'Any part of the server may use these modules, so they use no feature, no HTTP code and no role.',
      severity: 'error',
      from: { path: module(`(${SHARED.join('|')})/`), pathNot: tests },
      to: {
        path: module(
          '(features|http|cli|audit|app[.]ts|console-app[.]ts|dashboard-app[.]ts|driver-app[.]ts|worker[.]ts)',
        ),
      },
    },
    {
      name: 'features-only-through-their-index',
      comment: 'A feature reaches another one through its index.ts.',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^server/src/features/([^/]+)/', pathNot: ['^server/src/features/$1/', '/index[.]ts$'] },
    },
    {
      name: 'features-know-no-entry-point',
      severity: 'error',
      from: { path: module('(features|http|database|jobs|adapters)/'), pathNot: tests },
      to: { path: [module('cli/'), module('(app|console-app|dashboard-app|driver-app|worker)[.]ts')] },
    },
    {
      name: 'handlers-belong-to-the-worker',
      comment: 'A process that enqueues a job must not load the code that handles it.',
      severity: 'error',
      from: { pathNot: [module('worker[.]ts'), tests] },
      to: { path: '[.]handler[.]ts$' },
    },
    {
      name: 'apps-know-the-contract-only',
      comment: 'A web app calls the server over HTTP; of the contract it bundles the parts without schemas.',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^(server|bench|demo|e2e)/' },
    },
    {
      name: 'apps-share-through-ui',
      comment: 'A web app imports itself, apps/ui and the contract, never another web app.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: ['^apps/$1/', '^apps/ui/'] },
    },
    {
      name: 'site-knows-the-contract-only',
      comment: 'The site is built from texts and the contract; of other modules it uses two pure functions.',
      severity: 'error',
      from: { path: '^site/', pathNot: tests },
      to: {
        path: '^(server|apps|bench|demo|e2e|sdk)/',
        pathNot: ['^server/src/output-formats/escape-html[.]ts$', '^apps/ui/src/french-spaces[.]ts$'],
      },
    },
    {
      name: 'site-scripts-stand-alone',
      comment: 'Scripts of the browser import each other and the search library.',
      severity: 'error',
      from: { path: '^site/client/' },
      to: { pathNot: ['^site/client/', '^site/src/search-documents[.]ts$', 'node_modules/minisearch'] },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'The published client depends on nothing: no package, no module of a runtime, nothing of this project.',
      severity: 'error',
      from: { path: '^sdk/src', pathNot: tests },
      to: { pathNot: '^sdk/src' },
    },
    {
      name: 'nothing-uses-the-emulator',
      comment: 'The emulator starts the service with other adapters; the service does not depend on it.',
      severity: 'error',
      from: { pathNot: '^emulator/' },
      to: { path: '^emulator/' },
    },
    {
      name: 'cli-knows-the-sdk-only',
      comment: 'The published command line is one file: it bundles parts of the SDK and needs no other package.',
      severity: 'error',
      from: { path: '^cli/src', pathNot: tests },
      to: { pathNot: ['^cli/src', '^sdk/src'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'adapters-know-only-the-outside',
      severity: 'error',
      from: { path: module('adapters/'), pathNot: tests },
      to: {
        path: '^server/src/',
        pathNot: [module('adapters/'), module('config[.]ts'), module('(geography|network)/')],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
