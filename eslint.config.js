import rxjs from 'eslint-plugin-rxjs-x';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The architecture, as data: which rooms of `src/` a room may import from, and which packages. A room always may import from itself.
 * Everything below is made from this table, one list for each room, since a flat config replaces a rule's options, it does not merge them.
 *
 * @typedef {object} Room
 * @property {string[]} rooms the rooms that it may import from, by their folders in `src/`
 * @property {string[]} packages beside relative imports; `node:` stands for all of Node's own modules
 * @property {boolean} [clocks] whether it may read clocks and make timers by itself
 * @property {boolean} [asksPlatform] whether it may look at `process` to tell Node from a browser
 * @property {boolean} [virtual] whether all of it runs in virtual time, where promises do not settle
 */

const BELOW_TRANSPORT = ['request', 'headers', 'time'];
const BELOW_OPERATION = ['retry', 'pace', 'transport', ...BELOW_TRANSPORT];
const BELOW_CLIENT = ['read', 'operation', ...BELOW_OPERATION];
const CORE = ['client', ...BELOW_CLIENT];

/** @type {Record<string, Room>} */
const ROOMS = {
  cli: {
    rooms: ['server', 'simulate', 'testing', 'adapters/redis', 'adapters/undici', 'node', 'timeline', 'files', ...CORE],
    packages: ['rxjs', 'commander', 'cli-progress', 'ci-info', 'undici', 'node:'],
    clocks: true,
  },
  server: { rooms: ['files', 'request'], packages: ['express', 'express-rate-limit', 'multer', 'node:'], clocks: true },
  simulate: { rooms: CORE, packages: ['rxjs'] },
  testing: { rooms: CORE, packages: ['rxjs'] },
  'adapters/angular': { rooms: CORE, packages: ['rxjs', '@angular/core', '@angular/common'] },
  'adapters/nest': { rooms: CORE, packages: ['rxjs', '@nestjs/common'] },
  'adapters/opentelemetry': { rooms: ['request'], packages: ['rxjs', '@opentelemetry/api'] },
  'adapters/redis': { rooms: ['files', 'pace', ...BELOW_TRANSPORT], packages: ['rxjs', 'redis', 'ioredis', 'node:'] },
  'adapters/undici': { rooms: ['transport', 'files', ...BELOW_TRANSPORT], packages: ['rxjs', 'undici', 'node:'] },
  'adapters/xhr': { rooms: ['transport', ...BELOW_TRANSPORT], packages: ['rxjs'] },
  node: { rooms: ['files', ...CORE], packages: ['rxjs', 'aws4fetch', 'tinyglobby', 'node:'] },
  files: { rooms: BELOW_TRANSPORT, packages: ['node:'] },
  timeline: { rooms: ['transport', ...BELOW_TRANSPORT], packages: ['rxjs'], virtual: true },
  core: { rooms: CORE, packages: ['rxjs'] },
  client: { rooms: BELOW_CLIENT, packages: ['rxjs', 'rxjs-for-await', '@standard-schema/spec'], virtual: true },
  read: {
    rooms: ['operation', 'transport', ...BELOW_TRANSPORT],
    packages: ['rxjs', 'eventsource-parser', '@standard-schema/spec'],
    virtual: true,
  },
  operation: { rooms: BELOW_OPERATION, packages: ['rxjs'], virtual: true },
  retry: { rooms: BELOW_TRANSPORT, packages: ['rxjs'], virtual: true },
  pace: { rooms: BELOW_TRANSPORT, packages: ['rxjs'], virtual: true },
  transport: { rooms: BELOW_TRANSPORT, packages: ['rxjs'], asksPlatform: true, virtual: true },
  request: { rooms: ['headers', 'time'], packages: ['rxjs', '@standard-schema/spec'], virtual: true },
  headers: { rooms: ['time'], packages: ['structured-headers'], virtual: true },
  time: { rooms: [], packages: ['rxjs'], clocks: true, virtual: true },
};

const FINNISH_NOWHERE = { variables: false, properties: false, functions: false, methods: false, parameters: false, objects: false };

/** The two doors between promises and observables; nothing else of the core may await. */
const PROMISE_DOORS = ['src/client/asFetch.ts', 'src/client/eachEvent.ts'];

/**
 * @typedef {{ regex: string, message: string, importNames?: string[] }} ImportBan
 * @typedef {{ selector: string, message: string }} SyntaxBan
 */

/** @type {ImportBan} */
const UNTIMED_OPERATORS = {
  regex: '^rxjs(?:/operators)?$',
  importNames: ['debounceTime', 'timeInterval', 'timestamp'],
  message: 'It reads the wall clock, so virtual time does not reach it.',
};

/** @type {ImportBan} */
const RAW_TIMERS = {
  regex: '^rxjs(?:/operators)?$',
  importNames: ['timer', 'interval', 'delay', 'timeout'],
  message: 'A delay above 2^31 ms would fire at once: use wait() or watchdog() of src/time.ts.',
};

/** @type {SyntaxBan[]} */
const MODULE_STATE = [
  {
    selector: 'Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]',
    message: 'State of a module is shared by all who import it: keep it in the closure of a subscription.',
  },
];

/** @type {SyntaxBan[]} */
const RECURSIVE_MKDIR = [
  {
    selector: 'CallExpression[callee.name=/^mkdir(Sync)?$/] Property[key.name="recursive"]',
    message: 'It never ends in /proc: use makeFolder() of src/files/.',
  },
];

/** @type {SyntaxBan[]} */
const CLOCK_SYNTAX = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"]',
    message: 'Read the clock by elapsed() or wallClock() of src/time.ts.',
  },
];

/** @type {SyntaxBan[]} */
const PROMISE_SYNTAX = [
  {
    selector: ':function[async=true], AwaitExpression, ForOfStatement[await=true]',
    message: 'Promises do not settle in virtual time: compose observables, by from() where a FetchLike gave something.',
  },
];

/** @type {SyntaxBan[]} */
const SHORT_WAITS = [
  {
    selector: 'CallExpression[callee.object.name="vi"][callee.property.name=/^wait(For|Until)$/]',
    message: 'A second is too short on a busy machine: expect.poll waits as long as a spec may take.',
  },
  {
    selector: 'CallExpression[callee.object.name="expect"][callee.property.name="poll"] Property[key.name="timeout"]',
    message: 'Its timeout is that of vitest.config.ts, for what hangs.',
  },
];

/** @type {SyntaxBan[]} */
const UNFINISHED_SPECS = [
  {
    selector:
      'MemberExpression[property.name=/^(only|skip|todo|fails)$/]:matches([object.name=/^(describe|it|suite|test)$/], [object.object.name=/^(describe|it|suite|test)$/])',
    message: 'Every spec runs; what needs a machine uses describe.skipIf by spec/support/needs.ts.',
  },
];

/** @type {SyntaxBan[]} */
const MORE_THAN_REEXPORTS = [
  {
    selector: 'Program > :not(ExportAllDeclaration, ExportNamedDeclaration), Program > ExportNamedDeclaration[source=null]',
    message: 'The front door re-exports, nothing else.',
  },
];

const CLOCK_GLOBALS = ['setTimeout', 'setInterval', 'performance'].map((name) => ({
  name,
  message: 'Only src/time.ts knows a clock or makes a timer.',
}));

const CLOCK_PROPERTIES = [
  { object: 'Date', property: 'now', message: 'Use elapsed() or wallClock() of src/time.ts.' },
  {
    object: 'AbortSignal',
    property: 'timeout',
    message: 'Virtual time does not reach it: use wait() or watchdog() of src/time.ts.',
  },
  {
    object: 'AbortSignal',
    property: 'any',
    message: 'It never fires on Node 20 once garbage is collected: use an AbortController and remove listeners by hand.',
  },
];

const NODE_GLOBALS = ['process', 'Buffer', 'setImmediate', 'require', '__dirname', '__filename'].map((name) => ({
  name,
  message: 'This room runs in browsers too.',
}));

/** @param {string} text */
const escape = (text) => text.replace(/[/.]/g, '\\$&');

/**
 * Bans every relative path that leads to one of `rooms`.
 *
 * @param {string} room
 * @param {string[]} rooms
 * @returns {ImportBan[]}
 */
function banRooms(room, rooms) {
  const inside = rooms.map((name) => (name === 'time' ? 'time\\.js$' : `${escape(name)}\\/`));
  // From one adapter to another: '../redis/...', without the folder that holds both.
  const beside = rooms.filter((name) => room.startsWith('adapters/') && name.startsWith('adapters/')).map((name) => name.slice(9));
  return [...(inside.length > 0 ? [`^(?:\\.{1,2}\\/)+(?:${inside.join('|')})`] : []), ...beside.map((name) => `^\\.\\.\\/${name}\\/`)].map(
    (regex) => ({ regex, message: `Arrows between rooms run one way: ${room} may not import from there.` }),
  );
}

/**
 * Bans every package but `packages`.
 *
 * @param {string} room
 * @param {string[]} packages
 * @returns {ImportBan}
 */
function banPackages(room, packages) {
  const allowed = ['\\.', ...packages.map((name) => (name.endsWith(':') ? name : `${escape(name)}(?:$|\\/)`))];
  return { regex: `^(?!${allowed.join('|')})`, message: `${room} imports ${packages.join(', ') || 'nothing'} from outside.` };
}

/** @type {ImportBan} */
const FRONT_DOOR = { regex: '^(?:\\.\\.\\/)+index\\.js$', message: 'Front doors are for users: import the file that defines it.' };

/**
 * `no-restricted-imports` knows no `import()`.
 *
 * @param {ImportBan[]} bans
 * @returns {SyntaxBan[]}
 */
function banDynamicImports(bans) {
  return bans
    .filter((ban) => ban.importNames === undefined)
    .map(({ regex, message }) => ({ selector: `ImportExpression[source.value=/${regex.replaceAll('\\/', '\\u002F')}/]`, message }));
}

/**
 * @param {string} room
 * @param {Room} rules
 * @param {string[]} files
 * @returns {import('eslint').Linter.Config[]}
 */
function architecture(room, { rooms, packages, clocks = false, asksPlatform = false, virtual = false }, files) {
  const imports = [
    ...banRooms(
      room,
      Object.keys(ROOMS).filter((other) => other !== room && !rooms.includes(other)),
    ),
    banPackages(room, packages),
    FRONT_DOOR,
    ...(virtual || !clocks ? [UNTIMED_OPERATORS] : []),
    ...(clocks ? [] : [RAW_TIMERS]),
  ];
  const syntax = [...MODULE_STATE, ...RECURSIVE_MKDIR, ...banDynamicImports(imports), ...(clocks ? [] : CLOCK_SYNTAX)];
  const globals = [
    ...(clocks ? [] : CLOCK_GLOBALS),
    ...(packages.includes('node:') ? [] : NODE_GLOBALS.filter(({ name }) => !(asksPlatform && name === 'process'))),
  ];
  const doors = PROMISE_DOORS.filter((file) => file.startsWith(`src/${room}/`));
  return [
    {
      files,
      rules: {
        'no-restricted-imports': ['error', { patterns: imports }],
        'no-restricted-syntax': ['error', ...syntax, ...(virtual ? PROMISE_SYNTAX : [])],
        'no-restricted-globals': ['error', { globals, checkGlobalObject: true }],
        'no-restricted-properties': clocks ? 'off' : ['error', ...CLOCK_PROPERTIES],
      },
    },
    ...(doors.length > 0
      ? [{ files: doors, rules: { 'no-restricted-syntax': /** @type {['error', ...SyntaxBan[]]} */ (['error', ...syntax]) } }]
      : []),
  ];
}

export default defineConfig(
  globalIgnores(['dist/', 'coverage/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  {
    files: ['**/*.{ts,js,mjs}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked, rxjs.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidOperator: true }],
      // A clone spreads the fields of the request that it starts from.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['HttpRequest'] }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Reasons of signals and causes go through as they are.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true, allowThrowingAny: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true, allowThrowingAny: true }],
      // `$` means an observable and nothing else. It is not demanded: the rule would demand it of functions that return one, too.
      'rxjs-x/finnish': ['error', { ...FINNISH_NOWHERE, strict: true, names: { '^expect\\$$': false } }],
      'rxjs-x/no-exposed-subjects': 'error',
      'rxjs-x/no-floating-observables': 'error',
      'rxjs-x/no-misused-observables': 'error',
      'rxjs-x/no-sharereplay-before-takeuntil': 'error',
      'rxjs-x/no-subclass': 'error',
    },
  },

  ...Object.entries(ROOMS).flatMap(([room, rules]) =>
    architecture(room, rules, room === 'time' ? ['src/time.ts'] : [`src/${room}/**/*.ts`]),
  ),
  ...architecture('coldfetch', { rooms: CORE, packages: [] }, ['src/index.ts']),
  { files: ['src/index.ts'], rules: { 'no-restricted-syntax': ['error', ...MORE_THAN_REEXPORTS] } },
  // RxJS's clocks are internal paths, which it exports: one reads them, the other plays them.
  { files: ['src/time.ts', 'src/simulate/virtualTime.ts'], rules: { 'rxjs-x/no-internal': 'off' } },
  // Merging with the interfaces of Jest and vitest repeats their declarations as they are.
  {
    files: ['src/testing/matcherTypes.ts'],
    rules: {
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },

  {
    files: ['spec/**/*.{ts,mjs}', '*.setup.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...UNFINISHED_SPECS, ...SHORT_WAITS],
      // Asymmetric matchers and parsed JSON are `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'rxjs-x/no-nested-subscribe': 'off',
      // Errors that are no `Error` have to be tried too.
      'rxjs-x/throw-error': 'off',
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
  // A component may be its template alone.
  {
    files: ['spec/examples/angular/app/**/*.ts'],
    rules: { '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }] },
  },
);
