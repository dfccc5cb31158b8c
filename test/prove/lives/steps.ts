import fc from 'fast-check';
import type { SettingValues, TokenChanges } from '../../../index';

/** Clients by their address and protocol. One is on the server itself. */
export const CLIENTS = {
  here: { address: '127.0.0.1', isSafe: true },
  office: { address: '198.51.100.7', isSafe: true },
  home: { address: '203.0.113.9', isSafe: true },
  'office in clear': { address: '198.51.100.7', isSafe: false },
};

/** What is asked of the API, with the scopes of which a token needs one. */
export const SCOPES = {
  domains: ['domains.read'],
  'domains counted': ['domains.read'],
  'domains, wrongly': ['domains.read'],
  accounts: ['accounts.read'],
  profile: ['profile.read'],
  server: ['platform.read'],
  nothing: null,
  metrics: ['domains.read', 'accounts.read', 'platform.read'],
  assistant: ['domains.read'],
} as const;

/** Where a change is made, as the audit trail names it. */
export type Way = 'panel' | 'api-section' | 'cli';

/** The properties that a change names. Accounts are indexes, null for all; days are those until the expiry, null for never. */
export interface Properties
  extends Pick<TokenChanges, 'name' | 'note' | 'scopes' | 'owner' | 'allowedAddresses' | 'rateLimit'> {
  readonly accounts?: readonly number[] | null;
  readonly days?: number | null;
}

const some = <T extends string>(...words: readonly T[]) => fc.subarray([...words], { minLength: 1 });
const days = fc.constantFrom(null, 1, 4, 30, 200);
const properties: { [K in keyof Properties]-?: fc.Arbitrary<Properties[K]> } = {
  name: fc.constantFrom('billing', 'backup', 'shop'),
  note: fc.constantFrom(null, 'for the invoices'),
  scopes: fc.oneof(
    fc.constant(['*']),
    some('profile.read', 'accounts.read', 'domains.read', 'platform.read'),
  ),
  accounts: fc.oneof(fc.constant(null), fc.subarray([0, 1, 2, 3], { minLength: 1, maxLength: 3 })),
  owner: fc.boolean(),
  allowedAddresses: fc.subarray(['127.0.0.1', '198.51.100.0/24', '203.0.113.9']),
  rateLimit: fc.constantFrom(null, 1, 2, 4),
  days,
};

const settings = {
  enabled: fc.constantFrom(true, true, false),
  assistantsEnabled: fc.constantFrom(true, true, false),
  rateLimitRequests: fc.constantFrom(2, 3, 1000),
  httpsRequired: fc.boolean(),
  lastUsedAddress: fc.boolean(),
  suspendedAccounts: fc.constantFrom('refuse', 'allow'),
} satisfies { [K in keyof SettingValues]?: fc.Arbitrary<SettingValues[K]> };

/** The settings of a new life. */
export const SETTINGS = {
  enabled: true,
  assistantsEnabled: true,
  rateLimitRequests: 1000,
  httpsRequired: true,
  lastUsedAddress: true,
  suspendedAccounts: 'refuse',
};

const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

/** The parts of steps. Tokens and accounts are indexes, and count round. */
const parts = {
  way: fc.constantFrom<Way[]>('panel', 'panel', 'panel', 'api-section', 'api-section', 'cli'),
  token: fc.nat(4),
  account: fc.nat(3),
  properties: fc.oneof(
    fc.record(properties, { requiredKeys: [] }),
    ...keysOf(properties).map((key) => fc.record({ [key]: properties[key] })),
  ) as fc.Arbitrary<Properties>,
  hours: fc.constantFrom(1, 5, 30, 24 * 40),
  setting: fc.oneof(
    ...keysOf(settings).map((key) => fc.tuple(fc.constant(key), settings[key] as fc.Arbitrary<unknown>)),
  ),
  question: fc.constantFrom(...keysOf(SCOPES)),
  client: fc.constantFrom(...keysOf(CLIENTS)),
};

/** What happens in a life: how often, with which parts. */
const ACTIONS = {
  ask: [15, 'token', 'question', 'client'],
  create: [2, 'way', 'properties'],
  edit: [5, 'way', 'token', 'properties'],
  extend: [2, 'way', 'token', 'properties'],
  duplicate: [2, 'way', 'token', 'properties'],
  rotate: [3, 'way', 'token', 'hours', 'properties'],
  revoke: [1, 'way', 'token'],
  set: [3, 'way', 'setting'],
  suspend: [1, 'account'],
  restore: [1, 'account'],
  delete: [1, 'account'],
  'give away': [1, 'account'],
  move: [1, 'account'],
  wait: [2, 'hours'],
} as const satisfies Record<string, readonly [number, ...(keyof typeof parts)[]]>;

type Parts = {
  readonly [K in keyof typeof parts]: (typeof parts)[K] extends fc.Arbitrary<infer T> ? T : never;
};

/** A step of a life, with the parts of its action. */
export type Step = Parts & { readonly do: keyof typeof ACTIONS };

/** The step without the properties that its action does not take, or that its form cannot say. */
function possible(step: Step): Step {
  const { do: action, way, properties } = step;
  const { days, ...others } = properties;
  const isForm = way === 'api-section';
  const expiry = {
    days: days === undefined && (action === 'extend' || (action === 'duplicate' && isForm)) ? 30 : days,
  };
  const kept = action === 'extend' || action === 'rotate' ? expiry : { ...others, ...expiry };
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined &&
    (value !== null || name === 'days' || action !== 'create') &&
    !(name === 'days' && value !== null && action === 'edit' && isForm);
  return { ...step, properties: Object.fromEntries(Object.entries(kept).filter(isGiven)) };
}

const step = fc.oneof(
  ...keysOf(ACTIONS).map((action) => {
    const [weight, ...names] = ACTIONS[action];
    const its = Object.fromEntries(names.map((name) => [name, parts[name]]));
    const arbitrary = fc.record({ do: fc.constant(action), ...its }) as fc.Arbitrary<Step>;
    return { weight, arbitrary: 'properties' in its ? arbitrary.map(possible) : arbitrary };
  }),
);

const isOfAccount = (one: Step) => 'account' in one;

/** Two steps at once, mostly of one token. A wait is at no moment, and two changes of an account are the panel's. */
const pair = fc
  .tuple(step, step, fc.integer({ max: 3, min: 0 }))
  .filter(([a, b]) => a.do !== 'wait' && b.do !== 'wait' && !(isOfAccount(a) && isOfAccount(b)))
  .map(([a, b, other]): Step[] => [
    a,
    // The second use in one second stores no address.
    {
      ...b,
      ...(other > 0 && 'token' in a && 'token' in b && { token: a.token }),
      ...(a.do === 'ask' && b.do === 'ask' && { client: a.client }),
    },
  ]);

/** One step, or two at once. */
export const moment = fc.oneof(
  { weight: 5, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: pair },
);
