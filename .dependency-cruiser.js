/** Who may import whom. The picture of the rooms is in ARCHITECTURE.md. */
const room = (name) => `^server/src/${name}`;
const tests = '[.]test[.]ts$';

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'contract-stands-alone',
      comment: 'The contract imports the schema library and itself, nothing else.',
      severity: 'error',
      from: { path: '^contract/src', pathNot: tests },
      to: { pathNot: ['^contract/', 'node_modules/typebox'] },
    },
    {
      name: 'http-knows-no-business',
      comment: 'http may use the contract, the configuration and coalesce; business comes in through app.ts.',
      severity: 'error',
      from: { path: room('http/'), pathNot: tests },
      to: { path: '^server/', pathNot: [room('http/'), room('config[.]ts'), room('coalesce[.]ts')] },
    },
    {
      name: 'features-only-through-their-front-door',
      comment: 'A feature reaches another one through its index.ts.',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^server/src/features/([^/]+)/', pathNot: ['^server/src/features/$1/', '/index[.]ts$'] },
    },
    {
      name: 'features-know-no-entry-point',
      severity: 'error',
      from: { path: room('(features|http|database|jobs|adapters)/'), pathNot: tests },
      to: { path: [room('cli/'), room('app[.]ts'), room('worker[.]ts')] },
    },
    {
      name: 'handlers-belong-to-the-worker',
      comment: 'Producers of a job must not load the code that carries it out.',
      severity: 'error',
      from: { pathNot: [room('worker[.]ts'), tests] },
      to: { path: '[.]handler[.]ts$' },
    },
    {
      name: 'apps-know-the-contract-only',
      comment: 'A web app talks to the server over HTTP; of the contract it carries the parts without schemas.',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^(server|bench|demo|e2e)/' },
    },
    {
      name: 'adapters-know-only-the-outside',
      severity: 'error',
      from: { path: room('adapters/'), pathNot: tests },
      to: { path: '^server/src/', pathNot: [room('adapters/'), room('config[.]ts')] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
