import fc from 'fast-check';

const SCOPES = ['profile.read', 'accounts.read', 'domains.read', 'platform.read'];

/** The addresses and protocols of clients. One is on the server itself. */
export const CLIENTS = {
  here: ['127.0.0.1', null],
  office: ['198.51.100.7', 'https'],
  home: ['203.0.113.9', 'https'],
  'office in clear': ['198.51.100.7', 'http'],
} as const;

/** What is asked, with its path, and the scopes of which a token needs one. */
export const QUESTIONS = {
  domains: ['/api/v1/domains.php', 'domains.read'],
  'domains counted': ['/api/v1/domains.php?count=true', 'domains.read'],
  'domains, wrongly': ['/api/v1/domains.php?limit=0', 'domains.read'],
  accounts: ['/api/v1/accounts.php', 'accounts.read'],
  profile: ['/api/v1/me.php', 'profile.read'],
  server: ['/api/v1/server-health.php', 'platform.read'],
  nothing: ['/api/v1/nothing.php', ''],
  metrics: ['/metrics', 'domains.read accounts.read platform.read'],
  assistant: ['/mcp', 'domains.read'],
  page: ['/admin/tokens/', ''],
} as const;

const settings = {
  enabled: fc.constantFrom(true, true, false),
  assistantsEnabled: fc.constantFrom(true, true, false),
  rateLimitRequests: fc.constantFrom(1000, 3, 2),
  httpsRequired: fc.boolean(),
  lastUsedAddress: fc.boolean(),
  suspendedAccounts: fc.constantFrom('refuse', 'allow'),
};

const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

/** Days until an expiry; null for never. */
const days = fc.constantFrom(null, 1, 4, 30, 200);

/** Properties of a token. A token that exists may lose some, which is null. Accounts are indexes. */
const properties = (none: readonly null[]) => ({
  name: fc.constantFrom('billing', 'backup', 'shop'),
  note: fc.constantFrom(...none, 'for the invoices'),
  scopes: fc.oneof(fc.constant(['*']), fc.subarray(SCOPES, { minLength: 1 })),
  accounts: fc.oneof(...none.map(fc.constant), fc.subarray([0, 1, 2, 3], { minLength: 1, maxLength: 3 })),
  owner: fc.boolean(),
  allowedAddresses: fc.subarray(['127.0.0.1', '198.51.100.0/24', '203.0.113.9'], {
    minLength: 1 - none.length,
  }),
  rateLimit: fc.constantFrom(...none, 1, 2, 4),
  days,
});

type Given<T> = { readonly [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never };
export type Settings = Given<typeof settings>;
export type Properties = Partial<Given<ReturnType<typeof properties>>>;

const some = (given: ReturnType<typeof properties>): fc.Arbitrary<Properties> =>
  fc.oneof(
    fc.record(given, { requiredKeys: [] }),
    ...keysOf(given).map((key) => fc.record({ [key]: given[key] })),
  );

/** The settings of a new life. */
export const settingsAtFirst: fc.Arbitrary<Settings> = fc.record({ ...settings, enabled: fc.constant(true) });

/** The parts of steps. Tokens and accounts are indexes, those of the oldest tokens negative; a way is named as in the audit trail. */
const parts = {
  way: fc.constantFrom('panel', 'panel', 'panel', 'api-section', 'api-section', 'cli'),
  token: fc.integer({ min: -3, max: 3 }),
  account: fc.nat(3),
  properties: some(properties([null])),
  hours: fc.constantFrom(1, 30, 5, 30, 24 * 40),
  setting: fc.oneof(
    // The switch matters most.
    ...keysOf(settings).map((key) => ({
      weight: key === 'enabled' ? 3 : 1,
      arbitrary: fc.tuple(fc.constant(key), settings[key] as fc.Arbitrary<unknown>),
    })),
  ),
  question: fc.constantFrom('metrics', 'assistant', ...keysOf(QUESTIONS)),
  client: fc.constantFrom('here', 'here', ...keysOf(CLIENTS)),
};
/** Where tokens are created that replace no other one. */
const origin = fc.constantFrom('panel', 'panel', 'cli');

const { way, token, account, hours, setting, question, client } = parts;

/** What happens in a life: how often, and its parts. */
const ACTIONS = {
  ask: [20, { token, question, client }],
  create: [2, { way: origin, properties: some(properties([])) }],
  edit: [9, { way, token, properties: parts.properties }],
  duplicate: [3, { way: origin, token, properties: parts.properties }],
  extend: [2, { way, token, properties: fc.record({ days }) }],
  rotate: [5, { way, token, hours, properties: fc.record({ days }, { requiredKeys: [] }) }],
  revoke: [3, { way, token }],
  set: [7, { way, setting }],
  suspend: [2, { account }],
  restore: [1, { account }],
  delete: [1, { account }],
  'give away': [2, { account }],
  move: [3, { account }],
  wait: [3, { hours }],
} as const;

/** A step of a life, with the parts of its action. */
export type Step = Given<typeof parts> & { readonly do: keyof typeof ACTIONS };

/** The parts that a step may lack. */
export const ABSENT = { properties: {}, setting: ['enabled', true] as const };

const step = fc.oneof(
  ...keysOf(ACTIONS).map((action) => {
    const [weight, its] = ACTIONS[action];
    const all: Record<string, fc.Arbitrary<unknown>> = { do: fc.constant(action), ...its };
    return { weight, arbitrary: fc.record(all) as unknown as fc.Arbitrary<Step> };
  }),
);

/** One step, or two at once, mostly of one token. */
export const moment = fc
  .tuple(step, step, fc.record({ way, properties: parts.properties }), fc.nat(9))
  .map(([one, another, edit, number]): readonly Step[] => {
    // Two edits would most easily undo each other.
    const isTwin = one.do === 'edit' && number === 9;
    const other = isTwin ? ({ do: 'edit', token: one.token, ...edit } as Step) : { ...another };
    if (number > 6 && 'token' in one && 'token' in other) Object.assign(other, { token: one.token });
    // Of two uses in one second, the second one stores no address.
    if (one.do === 'ask' && other.do === 'ask') Object.assign(other, { client: one.client });
    const isOfAddress = [one, other].some((a) => 'setting' in a && a.setting[0] === 'lastUsedAddress');
    const isOfAccounts = 'account' in one && 'account' in other;
    if (number < 6 || isOfAddress || isOfAccounts || [one.do, other.do].includes('wait')) return [one];
    return [one, other];
  });

/** The days until the expiry that a step names; null for never, undefined for none. Most forms keep it or end it. */
export function daysOf({ do: action, way, properties }: Step): number | null | undefined {
  const { days } = properties;
  return way === 'api-section' && action !== 'extend' && days !== null ? undefined : days;
}

/** The name of a setting in the database and the command. */
export function storedName(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
