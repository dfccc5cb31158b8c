import type { SourcePart, Sources } from '../../index';

// What a panel developer may write. Each line below an expectation must not compile; the type check sees to it.

export const right: Sources = {
  domains: {
    table: 'web_domain',
    fields: { id: 'domain_id', status: { column: 'active', values: { y: 'active' } } },
  },
  services: { units: [{ unit: 'nginx' }] },
  settings: { keys: ['panel.name'] },
  cron: false,
};

// @ts-expect-error: there is no such resource.
export const misspeltResource: Sources = { domain: false };

// @ts-expect-error: domains have no such field.
export const misspeltField: Sources = { domains: { fields: { domian: 'name' } } };

export const order: Sources = { jobs: { orders: ['queued_at'] } };

// @ts-expect-error: jobs have no such field.
export const misspeltOrder: Sources = { jobs: { orders: ['queud_at'] } };

// @ts-expect-error: no list is sorted by a word.
export const orderByWord: Sources = { jobs: { orders: ['status'] } };

// @ts-expect-error: nor by a number.
export const orderByNumber: Sources = { jobs: { orders: ['duration_ms'] } };

// @ts-expect-error: nor by its key, which has an order anyway.
export const orderByKey: Sources = { jobs: { orders: ['id'] } };

// @ts-expect-error: settings have no times.
export const orderWithoutTimes: Sources = { settings: { orders: ['key'] } };

export const orderOfQuery: Sources = {
  // @ts-expect-error: a query is sorted by times, too.
  domains: { query: (db) => db('a'), fields: { id: 'a.id' }, orders: ['domain'] },
};

export const orderOfFunction: Sources = {
  // @ts-expect-error: a function has no order but that of its ids.
  jobs: { rows: () => [], fields: ['id', 'type', 'status', 'queued_at'], orders: ['queued_at'] },
};

// @ts-expect-error: several parts have no order but that of their keys.
export const orderOfParts: Sources = { jobs: [{ orders: ['queued_at'] }, { table: 'old_jobs' }] };

export const orderOfOnePart: Sources = { jobs: [{ orders: ['queued_at'] }] };

export const orders: Sources = {
  accounts: { orders: ['created_at', 'last_login_at'] },
  domains: { query: (db) => db('a'), fields: { id: 'a.id' }, orders: ['created_at', 'updated_at'] },
  ssl: { orders: ['expires_at'] },
};

export const part: SourcePart<'jobs'> = { table: 'old_jobs' };
export const parts: Sources = { jobs: [part, {}] };

// @ts-expect-error: only services come from units.
export const unitsElsewhere: Sources = { domains: { units: [] } };

// @ts-expect-error: only settings have an allow-list.
export const keysElsewhere: Sources = { domains: { keys: ['a'] } };

// @ts-expect-error: one object has no source.
export const objectResource: Sources = { health: false };

/** Every form of a description, the functions without a type of their own. */
export const everyForm: Sources = {
  accounts: [
    {
      query: (knex) => knex('client as c').leftJoin('limits as l', 'c.id', 'l.client_id'),
      fields: {
        id: 'c.id',
        username: { column: 'c.name', null: ['', '-'] },
        role: { value: 'customer' },
        status: {
          cases: [{ when: { 'c.locked': ['y', 1, 1n, true, null], 'c.deleted_at': null }, is: 'suspended' }],
          otherwise: 'active',
        },
        owner_id: { column: 'c.parent', null: 0, part: 1, integer: true },
        disk_limit_bytes: { column: 'l.disk', unit: 'MB', null: -1 },
        domain_count: { column: 'l.domains', values: { none: 0, all: null }, otherwise: null },
        two_factor_enabled: { column: 'c.otp', true: ['y', 1] },
        created_at: { column: 'c.added', time: 'DD.MM.YYYY hh:mm', zone: 'Europe/Berlin' },
        last_login_at: { column: 'c.seen', time: 'datetime', zone: 'Europe/Berlin' },
        plan: { column: 'c.plan', from: (raw) => (typeof raw === 'string' ? raw.trim() : raw) },
        name: {
          columns: { first: 'c.first', last: 'c.last' },
          compute: ({ first, last }) => [first, last].filter((part) => part !== null).join(' '),
        },
        email: false,
      },
    },
    { table: 'admins', fields: { username: 'name' } },
    {
      rows: async ({ filters, signal, limit, after }) => {
        signal.throwIfAborted();
        return filters.status?.includes('active') && limit !== 0 && after === null
          ? [{ id: 1, username: 'x' }]
          : [];
      },
      fields: ['id', 'username'],
      ids: 'integer',
    },
  ],
  email: {
    fields: {
      forward_to: { column: 'target', separator: ';' },
      keep_copy: { column: 'copy', values: { both: true, forward: false } },
      quota_bytes: { value: 2n ** 40n },
      used_bytes: { column: 'used', unit: 'text' },
    },
  },
};

export const ends: Sources = {
  domains: { fields: { ssl_status: { until: 'c.not_after', zone: 'Europe/Berlin', null: 0 } } },
  ssl: {
    fields: {
      status: {
        cases: [{ when: { 'c.revoked': 1 }, is: 'revoked' }],
        otherwise: { until: 'c.pem', from: (pem) => new Date(String(pem)) },
      },
    },
  },
};

export const counts: Sources = {
  accounts: {
    fields: {
      website_count: { count: 'websites' },
      mailbox_count: { count: 'email', where: { type: 'mailbox', status: ['active', 'suspended'] } },
      database_count: { count: 'databases', where: { remote_access: true, website_id: [1, 'a'] } },
    },
  },
};

export const confirmations: Sources = {
  accounts: {
    fields: {
      website_count: { count: 'websites', where: { status: 'active' }, confirm: 'count_list' },
      created_at: { column: 'made', confirm: ['zone', 'time_early'] },
    },
  },
  domains: { fields: { type: { value: 'primary', confirm: true } } },
  jobs: [
    { fields: ['id', 'type', 'status'], confirm: ['status'], rows: () => [] },
    { fields: ['id', 'type', 'status'], confirm: { status: 'word', type: true }, rows: () => [] },
  ],
};

// @ts-expect-error: false confirms nothing.
export const confirmsFalse: Sources = { domains: { fields: { type: { value: 'primary', confirm: false } } } };

// @ts-expect-error: there is no such list.
export const countOfNone: Sources = { accounts: { fields: { website_count: { count: 'sites' } } } };

// @ts-expect-error: services belong to no account.
export const countOfServices: Sources = { accounts: { fields: { website_count: { count: 'services' } } } };

// @ts-expect-error: only accounts count what belongs to them.
export const countElsewhere: Sources = { databases: { fields: { table_count: { count: 'websites' } } } };

// @ts-expect-error: a size is no count.
export const countOfSize: Sources = { accounts: { fields: { disk_used_bytes: { count: 'websites' } } } };

export const countOfWord: Sources = {
  // @ts-expect-error: there is no such word.
  accounts: { fields: { mailbox_count: { count: 'email', where: { type: 'mailbx' } } } },
};

export const countByTime: Sources = {
  // @ts-expect-error: no filter finds a time.
  accounts: { fields: { mailbox_count: { count: 'email', where: { created_at: 'x' } } } },
};

// @ts-expect-error: the status of a domain does not end by itself.
export const endOfStatus: Sources = { domains: { fields: { status: { until: 'ends' } } } };

// @ts-expect-error: nor does a certificate's key.
export const endOfText: Sources = { ssl: { fields: { key_type: { until: 'ends' } } } };

// @ts-expect-error: a text is not true or false.
export const trueOfText: Sources = { accounts: { fields: { plan: { values: { a: true } } } } };

// @ts-expect-error: a flag is true or false.
export const wordOfFlag: Sources = { email: { fields: { keep_copy: { values: { y: 'yes' } } } } };

// @ts-expect-error: so is the value of `otherwise`.
export const otherwiseOfFlag: Sources = { email: { fields: { keep_copy: { values: {}, otherwise: 1 } } } };

export const caseOfFlag: Sources = {
  // @ts-expect-error: so is the value of a case.
  email: { fields: { keep_copy: { cases: [{ when: { a: 1 }, is: 'y' }] } } },
};

// @ts-expect-error: a size is a number.
export const constantOfSize: Sources = { email: { fields: { quota_bytes: { value: '5 GB' } } } };

// @ts-expect-error: a required field cannot be left out.
export const requiredLeftOut: Sources = { domains: { fields: { status: false } } };

// @ts-expect-error: a column has a name.
export const numberedColumn: Sources = { domains: { fields: { status: 5 } } };

// @ts-expect-error: there is no such step.
export const misspeltStep: Sources = { domains: { fields: { status: { colunm: 'x' } } } };

// @ts-expect-error: there is no such unit.
export const unknownUnit: Sources = { email: { fields: { quota_bytes: { unit: 'PB' } } } };

// @ts-expect-error: there is no such form of a time.
export const unknownTime: Sources = { domains: { fields: { created_at: { time: 'iso' } } } };

// @ts-expect-error: a format names the year.
export const formatWithoutYear: Sources = { domains: { fields: { created_at: { time: 'DD.MM.YY' } } } };

// @ts-expect-error: what several columns hold needs a function.
export const columnsAlone: Sources = { domains: { fields: { status: { columns: { a: 'a' } } } } };

// @ts-expect-error: a query names its fields.
export const queryAlone: Sources = { domains: { query: (knex) => knex('a') } };

// @ts-expect-error: a query function returns a query.
export const queryOfText: Sources = { domains: { query: () => 'select 1', fields: {} } };

export const wrongRow: Sources = {
  // @ts-expect-error: a function returns rows of the fields' types.
  jobs: { rows: () => [{ id: 1, type: 5 }], fields: ['id', 'type', 'status'] },
};

/** What data layers return. */
const exact = { toJSON: () => '10' };
const long = { high: 0, low: 10, unsigned: false };
export const returnedValues: Sources = {
  accounts: {
    rows: () => [
      { id: long, username: Buffer.from('a'), created_at: new Date(0), disk_limit_bytes: exact },
      { id: 1n, username: 'b', created_at: 0, disk_limit_bytes: 10n, two_factor_enabled: 1 },
      { id: '2', username: 'c', created_at: exact, disk_limit_bytes: '10', nameservers: ['a', exact] },
      { id: 3, username: 'd', created_at: null, disk_limit_bytes: long, nameservers: 'a, b' },
    ],
    fields: ['id', 'username', 'created_at', 'disk_limit_bytes', 'two_factor_enabled', 'nameservers'],
  },
};

export const unreadableValue: Sources = {
  // @ts-expect-error: an object that is no text, number or time is not read.
  accounts: {
    rows: () => [{ id: 1, username: 'a', plan: { name: 'a' } }],
    fields: ['id', 'username', 'plan'],
  },
};

// @ts-expect-error: a function supplies fields that there are.
export const wrongSupply: Sources = { jobs: { rows: () => [], fields: ['id', 'typ'] } };

// @ts-expect-error: an id has a part, a text has none.
export const partOfText: Sources = { accounts: { fields: { plan: { column: 'a', part: 1 } } } };

// @ts-expect-error: a text is no whole number.
export const integerOfText: Sources = { accounts: { fields: { plan: { column: 'a', integer: true } } } };

// @ts-expect-error: a text is not counted in units.
export const unitOfText: Sources = { accounts: { fields: { plan: { column: 'a', unit: 'MB' } } } };

// @ts-expect-error: nor is a flag.
export const unitOfFlag: Sources = { email: { fields: { keep_copy: { column: 'a', unit: 'MB' } } } };

// @ts-expect-error: only a flag is true.
export const trueStepOfText: Sources = { accounts: { fields: { plan: { column: 'a', true: 1 } } } };

// @ts-expect-error: a translation aims at one of the field's words.
export const misspeltWord: Sources = { accounts: { fields: { status: { values: { ok: 'actve' } } } } };

// @ts-expect-error: and so does a constant.
export const misspeltConstant: Sources = { accounts: { fields: { role: { value: 'custmer' } } } };

// @ts-expect-error: and what a translation says of all other words.
export const misspeltOtherwise: Sources = { cron: { fields: { type: { values: {}, otherwise: 'comand' } } } };

export const misspeltCase: Sources = {
  // @ts-expect-error: and a case.
  email: { fields: { status: { cases: [{ when: { 'm.off': 1 }, is: 'suspnded' }] } } },
};

/** The words of these fields are no closed set, and a function returns the panel's own words. */
export const openWords: Sources = {
  backups: { fields: { storage: { values: { b2: 'backblaze' } } } },
  jobs: {
    fields: { type: { value: 'deploy' }, status: { values: { ok: 'succeeded' }, otherwise: 'unknown' } },
  },
  databases: {
    fields: ['id', 'name', 'engine'],
    rows: () => [{ id: 1, name: 'shop', engine: 'cockroachdb' }],
  },
};
