import type { ColumnType } from './sourcePanels';

/** What a panel may say of a field, what its columns hold, and what the API makes of it on every engine. */
export interface Description {
  readonly resource: 'email' | 'cron' | 'jobs';
  readonly field: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly source: unknown;
  /** Pairs of what the columns hold (the only one, or several by name) and what the field says. */
  readonly rows: readonly (readonly [unknown, unknown])[];
}

/** The fields that are always present, for lists in which another field is looked at. */
export const BESIDE = {
  email: { address: { value: 'a@b.example' }, type: { value: 'mailbox' }, status: { value: 'active' } },
  cron: { schedule: { value: '0 5 * * *' }, enabled: { value: true } },
  jobs: { type: { value: 'deploy' }, status: { value: 'queued' } },
} as const;

const words = { y: 'active', n: 'suspended', gone: null } as const;

export const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  'a column by its name': {
    resource: 'email',
    field: 'account_id',
    columns: { owner: 'integer' },
    source: 'owner',
    rows: [
      [5, 5],
      [0, 0],
      [-1, -1],
      [null, null],
    ],
  },
  'a column of text as an id': {
    resource: 'email',
    field: 'account_id',
    columns: { owner: 'string' },
    source: { column: 'owner' },
    rows: [
      ['007', '007'],
      ['7', '7'],
      ['Anna', 'Anna'],
      ['anna', 'anna'],
    ],
  },
  'a column of text that holds whole numbers': {
    resource: 'email',
    field: 'account_id',
    columns: { owner: 'string' },
    source: { column: 'owner', integer: true, null: '-' },
    rows: [
      ['5', 5],
      ['0', 0],
      ['-1', -1],
      ['12345', 12345],
      ['007', null],
      ['5.0', null],
      [' 5', null],
      ['Anna', null],
      ['', null],
      ['-', null],
      [null, null],
    ],
  },
  'a column of decimals that holds whole numbers': {
    resource: 'email',
    field: 'account_id',
    columns: { owner: 'native numeric(20, 2)' },
    source: { column: 'owner', integer: true },
    rows: [
      ['5.00', 5],
      ['0', 0],
      ['-1', -1],
      ['5.5', null],
      [null, null],
    ],
  },
  'sentinels of a whole number': {
    resource: 'email',
    field: 'account_id',
    columns: { owner: 'integer' },
    source: { column: 'owner', null: [0, '-1'] },
    rows: [
      [5, 5],
      [0, null],
      [-1, null],
      [1, 1],
      [null, null],
    ],
  },
  'an empty text that is a sentinel': {
    resource: 'email',
    field: 'domain',
    columns: { name: 'string' },
    source: { column: 'name', null: ['', '-'] },
    rows: [
      ['x.example', 'x.example'],
      ['', 'b.example'],
      ['-', 'b.example'],
      [null, 'b.example'],
    ],
  },
  'a sentinel of a decimal': {
    resource: 'email',
    field: 'send_limit_per_day',
    columns: { most: 'decimal' },
    source: { column: 'most', null: 0 },
    rows: [
      ['0.00', null],
      ['5.00', 5],
      ['-1.00', null],
    ],
  },
  'a sentinel beyond 2^53': {
    resource: 'email',
    field: 'quota_bytes',
    columns: { quota: 'bigInteger' },
    source: { column: 'quota', null: 9223372036854775807n },
    rows: [
      ['9223372036854775807', null],
      ['5', 5],
    ],
  },
  'a sentinel of a boolean': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'boolean' },
    source: { column: 'copy', null: false },
    rows: [
      [true, true],
      [false, null],
      [null, null],
    ],
  },
  'a last day that means never': {
    resource: 'email',
    field: 'last_login_at',
    columns: { seen: 'date' },
    source: { column: 'seen', null: '9999-12-31' },
    rows: [
      ['9999-12-31', null],
      ['2026-06-12', '2026-06-12T00:00:00+00:00'],
      [null, null],
    ],
  },
  'a last second that means never': {
    resource: 'email',
    field: 'last_login_at',
    columns: { seen: 'datetime' },
    source: { column: 'seen', null: ['2099-12-31 23:59:59', '0000-00-00 00:00:00'] },
    rows: [
      ['2099-12-31 23:59:59', null],
      ['2026-06-12 01:02:03', '2026-06-12T01:02:03+00:00'],
      [null, null],
    ],
  },
  'words that are translated': {
    resource: 'email',
    field: 'status',
    columns: { state: 'string' },
    source: { column: 'state', values: words },
    rows: [
      ['y', 'active'],
      ['n', 'suspended'],
      ['gone', 'unknown'],
      ['Y', 'unknown'],
      ['other', 'unknown'],
      ['', 'unknown'],
      [null, 'unknown'],
    ],
  },
  'words that are translated, and all others': {
    resource: 'email',
    field: 'status',
    columns: { state: 'string' },
    source: { column: 'state', values: words, otherwise: 'suspended' },
    rows: [
      ['y', 'active'],
      ['n', 'suspended'],
      ['gone', 'unknown'],
      ['N', 'suspended'],
      ['other', 'suspended'],
      [null, 'unknown'],
    ],
  },
  'words of which all others say nothing': {
    resource: 'cron',
    field: 'type',
    columns: { kind: 'string' },
    source: { column: 'kind', values: { cmd: 'command' }, otherwise: null },
    rows: [
      ['cmd', 'command'],
      ['CMD', null],
      ['x', null],
      [null, null],
    ],
  },
  'words of an optional field': {
    resource: 'cron',
    field: 'type',
    columns: { kind: 'integer' },
    source: { column: 'kind', values: { 1: 'command', 2: 'url', 3: null } },
    rows: [
      [1, 'command'],
      [2, 'url'],
      [3, null],
      [4, 'unknown'],
      [null, null],
    ],
  },
  'a sentinel that is a word as well': {
    resource: 'email',
    field: 'status',
    columns: { state: 'integer' },
    source: { column: 'state', null: 1, values: { 1: 'active', 2: 'suspended' } },
    rows: [
      [1, 'unknown'],
      [2, 'suspended'],
      [3, 'unknown'],
    ],
  },
  'words of a boolean': {
    resource: 'email',
    field: 'status',
    columns: { on: 'boolean' },
    source: { column: 'on', values: { true: 'active', 0: 'suspended' } },
    rows: [
      [true, 'active'],
      [false, 'suspended'],
      [null, 'unknown'],
    ],
  },
  'words of a decimal': {
    resource: 'email',
    field: 'status',
    columns: { state: 'decimal' },
    source: { column: 'state', values: { 1: 'active', 0: 'suspended' } },
    rows: [
      ['1.00', 'active'],
      ['0.00', 'suspended'],
      ['1.50', 'unknown'],
      [null, 'unknown'],
    ],
  },
  'words of a floating-point number': {
    resource: 'email',
    field: 'status',
    columns: { state: 'double' },
    source: { column: 'state', values: { 1: 'active', 0.5: 'suspended' } },
    rows: [
      [1, 'active'],
      [0.5, 'suspended'],
      [0, 'unknown'],
    ],
  },
  'words that become a flag': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'string' },
    source: { column: 'copy', values: { both: true, forward: false } },
    rows: [
      ['both', true],
      ['forward', false],
      ['?', null],
      [null, null],
    ],
  },
  'words that become a number': {
    resource: 'email',
    field: 'send_limit_per_day',
    columns: { plan: 'string' },
    source: { column: 'plan', values: { small: 100, none: 0, free: null }, otherwise: 7 },
    rows: [
      ['small', 100],
      ['none', 0],
      ['free', null],
      ['x', 7],
      [null, null],
    ],
  },
  'words that become a list': {
    resource: 'email',
    field: 'forward_to',
    columns: { kind: 'string' },
    source: { column: 'kind', values: { staff: ['a@b.example', 'c@b.example'] } },
    rows: [
      ['staff', ['a@b.example', 'c@b.example']],
      ['x', []],
      [null, []],
    ],
  },
  'words of a field that is worked out where nothing is said': {
    resource: 'email',
    field: 'domain',
    columns: { name: 'string' },
    source: { column: 'name', values: { x: 'x.example' } },
    rows: [
      ['x', 'x.example'],
      ['y', 'b.example'],
      [null, 'b.example'],
    ],
  },
  'what counts as true': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'string' },
    source: { column: 'copy', true: ['y', 'always'] },
    rows: [
      ['y', true],
      ['always', true],
      ['Y', false],
      ['n', false],
      ['', false],
      [null, false],
    ],
  },
  'a number that counts as true': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'tinyint' },
    source: { column: 'copy', true: 1 },
    rows: [
      [1, true],
      [0, false],
      [2, false],
      [null, false],
    ],
  },
  'false that counts as true': {
    resource: 'email',
    field: 'keep_copy',
    columns: { off: 'boolean' },
    source: { column: 'off', true: 0 },
    rows: [
      [true, false],
      [false, true],
      [null, false],
    ],
  },
  'a decimal that counts as true': {
    resource: 'cron',
    field: 'enabled',
    columns: { on: 'decimal' },
    source: { column: 'on', true: 1 },
    rows: [
      ['1.00', true],
      ['0.00', false],
      ['0.50', false],
    ],
  },
  'a flag of whole numbers': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'integer' },
    source: 'copy',
    rows: [
      [1, true],
      [0, false],
      [2, true],
      [-1, true],
      [null, null],
    ],
  },
  'a flag of words': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'string' },
    source: 'copy',
    rows: [
      ['Y', true],
      ['No', false],
      ['nO', false],
      ['', false],
      ['?', null],
      [null, null],
    ],
  },
  'a flag of words that is always present': {
    resource: 'cron',
    field: 'enabled',
    columns: { on: 'string' },
    source: 'on',
    rows: [
      ['on', true],
      ['oFF', false],
      ['?', false],
      [null, false],
    ],
  },
  'a size in kilobytes': {
    resource: 'email',
    field: 'quota_bytes',
    columns: { quota: 'integer' },
    source: { column: 'quota', unit: 'KB' },
    rows: [
      [1, 1024],
      [0, 0],
      [-1, null],
      [null, null],
    ],
  },
  'a size in megabytes, none meaning no limit': {
    resource: 'email',
    field: 'quota_bytes',
    columns: { quota: 'bigInteger' },
    source: { column: 'quota', unit: 'MB', null: 0 },
    rows: [
      ['5', 5242880],
      ['0', null],
      ['8000000000000', 8388608000000000000n],
    ],
  },
  'a size in gigabytes as text': {
    resource: 'email',
    field: 'quota_bytes',
    columns: { quota: 'string' },
    source: { column: 'quota', unit: 'GB' },
    rows: [
      ['1.5', 1610612736],
      [' 2 ', 2147483648],
      ['unlimited', null],
      ['', null],
    ],
  },
  'a size in terabytes as a decimal of many digits': {
    resource: 'email',
    field: 'quota_bytes',
    columns: { quota: 'native decimal(30,2)' },
    source: { column: 'quota', unit: 'TB' },
    rows: [
      ['1.25', 1374389534720],
      ['1.00', 1099511627776],
    ],
  },
  'a duration in seconds': {
    resource: 'cron',
    field: 'last_duration_ms',
    columns: { took: 'double' },
    source: { column: 'took', unit: 'seconds' },
    rows: [
      [1.5, 1500],
      [0.0004, 0],
      [0, 0],
      [-1, null],
      [null, null],
    ],
  },
  'a duration in minutes': {
    resource: 'cron',
    field: 'last_duration_ms',
    columns: { took: 'integer' },
    source: { column: 'took', unit: 'minutes' },
    rows: [
      [2, 120000],
      [null, null],
    ],
  },
  'a list with a separator': {
    resource: 'email',
    field: 'forward_to',
    columns: { target: 'text' },
    source: { column: 'target', separator: '::' },
    rows: [
      ['a b@x.example:: c@x.example ::', ['a b@x.example', 'c@x.example']],
      ['', []],
      [null, []],
    ],
  },
  'a list with none': {
    resource: 'email',
    field: 'forward_to',
    columns: { target: 'text' },
    source: 'target',
    rows: [
      [
        'a@x.example, b@x.example\nc@x.example|d@x.example;',
        ['a', 'b', 'c', 'd'].map((a) => `${a}@x.example`),
      ],
      ['["a@x.example"]', ['a@x.example']],
      [null, []],
    ],
  },
  'a function of a column': {
    resource: 'email',
    field: 'status',
    columns: { state: 'string' },
    source: { column: 'state', from: (raw: unknown) => (raw === null ? 'gone' : `was ${raw}`), null: '-' },
    rows: [
      ['y', 'was y'],
      ['-', 'unknown'],
      [null, 'gone'],
    ],
  },
  'a function of several columns': {
    resource: 'email',
    field: 'account_id',
    columns: { kind: 'string', owner: 'integer' },
    source: {
      columns: { k: 'kind', o: 'owner' },
      compute: ({ k, o }: { k: unknown; o: unknown }) => (k === 'none' ? null : o),
    },
    rows: [
      [{ kind: 'none', owner: 5 }, null],
      [{ kind: 'x', owner: 5 }, 5],
    ],
  },
  'cases of several columns': {
    resource: 'email',
    field: 'status',
    columns: { active: 'boolean', locked: 'string' },
    source: {
      cases: [
        { when: { locked: ['y', 'Y'] }, is: 'suspended' },
        { when: { active: true, locked: '' }, is: 'active' },
        { when: { active: true }, is: 'limited' },
        { when: { locked: 'gone' }, is: null },
      ],
      otherwise: 'off',
    },
    rows: [
      [{ active: true, locked: 'Y' }, 'suspended'],
      [{ active: true, locked: '' }, 'active'],
      [{ active: true, locked: 'é' }, 'limited'],
      [{ active: true, locked: null }, 'limited'],
      [{ active: false, locked: 'n' }, 'off'],
      [{ active: false, locked: 'gone' }, 'unknown'],
      [{ active: null, locked: null }, 'off'],
    ],
  },
  'cases without a last word': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'string' },
    source: {
      cases: [
        { when: { copy: 'yes' }, is: true },
        { when: { copy: 'no' }, is: false },
      ],
    },
    rows: [
      ['yes', true],
      ['no', false],
      ['NO', null],
      [null, null],
    ],
  },
  'cases of a word without a last word': {
    resource: 'email',
    field: 'status',
    columns: { state: 'string' },
    source: { cases: [{ when: { state: 'ok' }, is: 'active' }] },
    rows: [
      ['ok', 'active'],
      ['OK', 'unknown'],
      ['ök', 'unknown'],
      [null, 'unknown'],
    ],
  },
  'cases of a date': {
    resource: 'email',
    field: 'status',
    columns: { ended: 'date' },
    source: { cases: [{ when: { ended: '9999-12-31' }, is: 'active' }], otherwise: 'suspended' },
    rows: [
      ['9999-12-31', 'active'],
      ['2026-06-12', 'suspended'],
      [null, 'suspended'],
    ],
  },
  'cases of what is null': {
    resource: 'email',
    field: 'status',
    columns: { state: 'string', ended: 'datetime' },
    source: {
      cases: [
        { when: { ended: null, state: ['off', null] }, is: 'suspended' },
        { when: { ended: null }, is: 'active' },
        { when: { state: [null] }, is: null },
      ],
      otherwise: 'gone',
    },
    rows: [
      [{ state: 'off', ended: null }, 'suspended'],
      [{ state: null, ended: null }, 'suspended'],
      [{ state: '', ended: null }, 'active'],
      [{ state: 'null', ended: '2026-06-12 00:00:00' }, 'gone'],
      [{ state: null, ended: '2026-06-12 00:00:00' }, 'unknown'],
    ],
  },
  'cases of a column that is null': {
    resource: 'email',
    field: 'keep_copy',
    columns: { copy: 'string' },
    source: { cases: [{ when: { copy: ['', null] }, is: false }], otherwise: true },
    rows: [
      ['', false],
      [null, false],
      ['y', true],
    ],
  },
  'cases of null alone': {
    resource: 'email',
    field: 'keep_copy',
    columns: { target: 'integer' },
    source: { cases: [{ when: { target: null }, is: false }], otherwise: true },
    rows: [
      [0, true],
      [null, false],
      [5, true],
    ],
  },
  'a constant word': {
    resource: 'email',
    field: 'status',
    columns: { x: 'integer' },
    source: { value: 'fine' },
    rows: [[1, 'fine']],
  },
  'a constant flag': {
    resource: 'email',
    field: 'keep_copy',
    columns: { x: 'integer' },
    source: { value: false },
    rows: [[1, false]],
  },
  'a constant nothing': {
    resource: 'email',
    field: 'account_id',
    columns: { x: 'integer' },
    source: { value: null },
    rows: [[1, null]],
  },
  'a constant beyond 2^53': {
    resource: 'email',
    field: 'quota_bytes',
    columns: { x: 'integer' },
    source: { value: 2n ** 60n },
    rows: [[1, 2n ** 60n]],
  },
  'a constant list': {
    resource: 'email',
    field: 'forward_to',
    columns: { x: 'integer' },
    source: { value: ['a@x.example'] },
    rows: [[1, ['a@x.example']]],
  },
};

/** A row of the panel's table. */
export function rowOf({ columns }: Description, held: unknown): Record<string, unknown> {
  const [only = ''] = Object.keys(columns);
  const several = typeof held === 'object' && held !== null;
  return several ? { ...held } : { [only]: held };
}

/** The sources of a panel that describes the field so. */
export function sourcesOf({ resource, field, source }: Description, table = 'panel_rows') {
  return { [resource]: { table, fields: { ...BESIDE[resource], [field]: source } } };
}
