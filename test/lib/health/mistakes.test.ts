import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sources } from '../../../index';

import { checkSources } from '../../fixture/command/checkSources';
import { type ColumnType, sourcePanels } from '../../fixture/sources/sourcePanels';

/** The fields that are always present, for lists of which another field is wrong. */
const BESIDE = {
  accounts: { username: { value: 'anna' } },
  domains: {
    domain: { value: 'shop.example' },
    type: { value: 'addon' },
    ssl_status: { value: 'none' },
    status: { value: 'active' },
  },
  websites: { domain: { value: 'shop.example' }, status: { value: 'active' } },
  email: { address: { value: 'a@b.example' }, type: { value: 'mailbox' }, status: { value: 'active' } },
  databases: { name: { value: 'shop' }, engine: { value: 'mariadb' } },
  ssl: { common_name: { value: 'shop.example' }, status: { value: 'revoked' } },
  backups: { status: { value: 'succeeded' } },
  jobs: { type: { value: 'deploy' }, status: { value: 'succeeded' } },
  cron: { schedule: { value: '0 5 * * *' }, enabled: { value: true } },
} as const;

/** A plausible mistake in the description of a field, the values of its columns, and what `check` says. */
interface Mistake {
  readonly list: keyof typeof BESIDE;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The type and the values of each column. */
  readonly columns: Readonly<Record<string, readonly [ColumnType, ...unknown[]]>>;
  readonly code: string;
  /** The name of the field, and the sentence after it. */
  readonly says: readonly [field: string, sentence: string];
  /** Another list that the field needs. */
  readonly beside?: Sources;
  /** What the field should say instead, if not `confirm: true` alone. */
  readonly right?: Readonly<Record<string, unknown>>;
}

const YEAR_AGO = '2025-06-12 10:00:00';

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a code where a word is needed': {
    list: 'domains',
    fields: { status: 'active' },
    columns: { active: ['integer', 1, 1, 0] },
    code: 'word',
    says: [
      'status (column active)',
      'shows no word of the API in 3 of 3 rows, such as "1" in the row 1, "0": translate with `values: { 1: …, 0: … }` into active, suspended, pending, unknown.',
    ],
    right: { status: { column: 'active', values: { 1: 'active', 0: 'suspended' } } },
  },
  'a word in capitals': {
    list: 'email',
    fields: { status: 'state' },
    columns: { state: ['string', 'ACTIVE', 'active', 'active'] },
    code: 'word',
    says: [
      'status (column state)',
      'shows no word of the API in 1 of 3 rows, such as "ACTIVE" in the row 1: translate with `values: { ACTIVE: … }` into active, suspended, unknown.',
    ],
  },
  'a column of texts where a word is needed, whose texts are not shown': {
    list: 'ssl',
    fields: { status: 'note' },
    columns: { note: ['string', 'hunter2-secret!', 'It failed because of the secret', 'secret#3'] },
    code: 'word',
    says: [
      'status (column note)',
      'shows no word of the API in 3 of 3 rows, such as in the row 1: choose another column, or translate it with `values` into valid, expiring, expired, pending, failed, revoked, unknown.',
    ],
  },
  'a word that a function computes': {
    list: 'backups',
    fields: {
      status: {
        columns: { done: 'done' },
        compute: ({ done }: { done: unknown }) => (done ? 'ok' : 'failed'),
      },
    },
    columns: { done: ['integer', 1, 0, 1] },
    code: 'word',
    says: [
      'status (column done)',
      'shows no word of the API in 2 of 3 rows, such as "ok" in the row 1: return queued, running, succeeded, partial, failed, unknown.',
    ],
  },
  'a code in a field of open words': {
    list: 'databases',
    fields: { status: 'active' },
    columns: { active: ['string', 'y', 'n', 'y'] },
    code: 'word',
    says: [
      'status (column active)',
      'shows no word of the API in 3 of 3 rows, such as "y" in the row 1, "n": translate with `values: { y: …, n: … }` into words.',
    ],
  },
  'an unmapped word': {
    list: 'domains',
    fields: { status: { column: 'state', values: { on: 'active' } } },
    columns: { state: ['string', 'on', 'off', 'on'] },
    code: 'unmapped',
    says: [
      '',
      'Unmapped value "off" in column state (field status): add it to `values`, or leave these rows out with `where`.',
    ],
    right: { status: { column: 'state', values: { on: 'active', off: 'suspended' } } },
  },
  'words in another spelling than in the column': {
    list: 'domains',
    fields: { status: { column: 'state', values: { Suspended: 'suspended' }, otherwise: 'active' } },
    columns: { state: ['string', 'ok', 'suspended', 'suspended'] },
    code: 'word_unused',
    says: [
      'status (column state)',
      'is the same for every row, because no row has a word of its description, in 2 of 2 rows, such as "suspended" in the row 2: write the words as the column has them.',
    ],
  },
  'a case of a number over a column of letters': {
    list: 'accounts',
    fields: { status: { cases: [{ when: { locked: 1 }, is: 'suspended' }], otherwise: 'active' } },
    columns: { locked: ['string', 'n', 'y', 'n'] },
    code: 'word_unused',
    says: [
      'status (column locked)',
      'is the same for every row, because no row has a word of its description, in 3 of 3 rows, such as "n" in the row 1, "y": write the words as the column has them.',
    ],
    right: { status: { cases: [{ when: { locked: 'y' }, is: 'suspended' }], otherwise: 'active' } },
  },
  'a flag that is true for a number over a column of letters': {
    list: 'email',
    fields: { autoresponder_enabled: { column: 'auto', true: 1 } },
    columns: { auto: ['string', 'n', 'n', 'y'] },
    code: 'word_unused',
    says: [
      'autoresponder_enabled (column auto)',
      'is false for every row, because no row has the value of `true`, in 3 of 3 rows, such as "n" in the row 1, "y": write the words as the column has them.',
    ],
    right: { autoresponder_enabled: { column: 'auto', true: 'y' } },
  },
  'a flag that is true for a word that no row has': {
    list: 'accounts',
    fields: { two_factor_enabled: { column: 'otp', true: 'yes' } },
    columns: { otp: ['string', 'none', 'email', 'totp'] },
    code: 'word_unused',
    says: [
      'two_factor_enabled (column otp)',
      'is false for every row, because no row has the value of `true`, in 2 of 2 rows, such as "email" in the row 2, "totp": write the words as the column has them.',
    ],
  },
  'a flag with a third value': {
    list: 'domains',
    fields: { mail_enabled: { column: 'mail', true: 1 } },
    columns: { mail: ['integer', 1, 0, 2, 1] },
    code: 'flag_value',
    says: [
      'mail_enabled (column mail)',
      'has a value that is neither true nor false in 1 of 3 rows, such as "2" in the row 3: name all values that mean true in `true`.',
    ],
    right: { mail_enabled: { column: 'mail', true: [1, 2] } },
  },
  'a flag by its name with a third value': {
    list: 'cron',
    fields: { enabled: 'state' },
    columns: { state: ['string', 'on', 'off', 'paused'] },
    code: 'flag_value',
    says: [
      'enabled (column state)',
      'has a value that is neither true nor false in 1 of 3 rows, such as "paused" in the row 3: name all values that mean true in `true`.',
    ],
    right: { enabled: { column: 'state', true: 'on' } },
  },
  'a reference with 0 for none': {
    list: 'domains',
    fields: { account_id: 'owner' },
    columns: { owner: ['integer', 10, 0, 12] },
    code: 'reference',
    says: [
      'account_id (column owner)',
      'is no id of accounts in 1 of 3 rows, such as "0" in the row 2: if this means none, say `null: 0`.',
    ],
    right: { account_id: { column: 'owner', null: 0 } },
  },
  'a reference with -1 for none': {
    list: 'domains',
    fields: { parent_id: 'parent', type: { value: 'alias' } },
    columns: { parent: ['integer', -1, 1, 1] },
    code: 'reference',
    says: [
      'parent_id (column parent)',
      'is no id of domains in 1 of 3 rows, such as "-1" in the row 1: if this means none, say `null: -1`.',
    ],
    right: { parent_id: { column: 'parent', null: -1 }, type: { value: 'alias' } },
  },
  'a reference to a row that is gone': {
    list: 'websites',
    fields: { account_id: 'owner' },
    columns: { owner: ['integer', 10, 11, 99] },
    code: 'reference',
    says: [
      'account_id (column owner)',
      'is no id of accounts in 1 of 3 rows, such as "99" in the row 3: leave these rows out, too, or read null for them, such as with a `leftJoin` that has the same condition.',
    ],
  },
  'a reference that holds the ids of something else': {
    list: 'websites',
    fields: { account_id: 'owner' },
    columns: { owner: ['integer', 3, 4, 5, 10] },
    code: 'reference',
    says: [
      'account_id (column owner)',
      'is no id of accounts in 3 of 4 rows, such as "3" in the row 1, "4", "5": they look like other ids: choose the column of the ids of accounts.',
    ],
  },
  'a reference by name': {
    list: 'websites',
    fields: { account_id: 'owner' },
    columns: { owner: ['string', 'anna', 'bert', 'carla'] },
    code: 'id_type',
    says: [
      'account_id (column owner)',
      'has the type string, but the ids of accounts have the type integer: use the same type for both. `integer: true` reads whole numbers from a text or decimal column.',
    ],
  },
  'an owner from a column of groups, whose ids are those of accounts by chance': {
    list: 'websites',
    fields: { account_id: 'sys_groupid' },
    columns: { sys_groupid: ['integer', 10, 11, 12] },
    code: 'reference_column',
    says: [
      '',
      "The field account_id is read from the column sys_groupid, whose name says that it holds other ids: choose the column of the account's id.",
    ],
  },
  'a row that is its own parent': {
    list: 'domains',
    fields: { parent_id: 'parent', type: { value: 'alias' } },
    columns: { parent: ['integer', 1, 1, null] },
    code: 'reference_self',
    says: [
      'parent_id (column parent)',
      'is the id of the same row in 1 of 2 rows, such as "1" in the row 1: choose the column of parent_id, or read null for such rows.',
    ],
  },
  'an owner from the column of another id': {
    list: 'ssl',
    fields: { account_id: 'id' },
    columns: { id: ['integer', 10, 11, 12] },
    code: 'reference_column',
    says: [
      '',
      "The field account_id is read from the column id, from which id is read, too: choose the column of the account's id.",
    ],
  },
  'a size with its unit in some texts': {
    list: 'databases',
    fields: { size_bytes: { column: 'size', unit: 'MB' } },
    columns: { size: ['string', '3MB', '12', '1.5', '700 KB'] },
    code: 'unreadable',
    says: [
      'size_bytes (column size)',
      'is null although its column has a value, in 2 of 4 rows with a value, such as "3MB" in the row 1, "700 KB": say `unit: \'text\'` if each names its unit, or read such values with `from`.',
    ],
  },
  'a time in another form in some rows, of which a text is not shown': {
    list: 'ssl',
    fields: { expires_at: 'expires' },
    columns: { expires: ['string', '2027-01-31', '31.12.2026', 'secret'] },
    code: 'unreadable',
    says: [
      'expires_at (column expires)',
      'is null although its column has a value, in 2 of 3 rows with a value, such as "31.12.2026" in the row 2: read them with `time` or `from`.',
    ],
  },
  'a column that never reads as a value': {
    list: 'ssl',
    fields: { expires_at: 'expires' },
    columns: { expires: ['string', '31.12.2026', '30.12.2026', '29.12.2026'] },
    code: 'unreadable',
    says: [
      'expires_at (column expires)',
      'is null although its column has a value, in 3 of 3 rows with a value, such as "31.12.2026" in the row 1, "30.12.2026", "29.12.2026": correct its description.',
    ],
  },
  'an id that is a whole number only in some rows': {
    list: 'jobs',
    fields: { target_id: { column: 'target', integer: true } },
    columns: { target: ['string', '17', 'shop', '18'] },
    code: 'unreadable',
    says: [
      'target_id (column target)',
      'is null although its column has a value, in 1 of 3 rows with a value, such as in the row 2: choose a column of ids.',
    ],
  },
  'a list that is stored as an object in some rows': {
    list: 'websites',
    fields: { aliases: 'names' },
    columns: { names: ['text', 'www.shop.example', '{"a":"b.example"}', 'm.shop.example'] },
    code: 'unreadable',
    says: [
      'aliases (column names)',
      'is null although its column has a value, in 1 of 3 rows with a value, such as in the row 2: choose its `separator`, or read such texts with `from`.',
    ],
  },
  'a schedule of some fields': {
    list: 'cron',
    fields: { schedule: 'hours' },
    columns: { hours: ['string', '0 4 * * *', '@daily', '*/5'] },
    code: 'schedule',
    says: [
      'schedule (column hours)',
      'is no schedule that ever runs, of five fields or a nickname such as @daily in 1 of 3 rows, such as in the row 3: choose another column, or compose it from `columns`.',
    ],
  },
  'a star among addresses': {
    list: 'websites',
    fields: { ip_addresses: 'ip' },
    columns: { ip: ['string', '192.0.2.7, 2001:db8::7', '*', null] },
    code: 'address',
    says: [
      'ip_addresses (column ip)',
      'is no IP address in 1 of 2 rows, such as in the row 2: choose another column, or its `separator`.',
    ],
  },
  'a local part where an address is needed': {
    list: 'email',
    fields: { address: 'login', type: 'type' },
    columns: {
      login: ['string', 'anna', 'bert@shop.example', '@shop.example'],
      type: ['string', 'mailbox', 'mailbox', 'catchall'],
    },
    code: 'address',
    says: [
      'address (column login)',
      'is no email address in 1 of 3 rows, such as in the row 1: choose another column, or compose it from `columns`.',
    ],
  },
  'a login where the address of a person is needed': {
    list: 'accounts',
    fields: { email: 'login' },
    columns: { login: ['string', 'anna', 'bert@shop.example', ''] },
    code: 'address',
    says: [
      'email (column login)',
      'is no email address in 1 of 2 rows, such as in the row 1: choose another column, or compose it from `columns`.',
    ],
  },
  'a list of addresses with another separator': {
    list: 'email',
    fields: { forward_to: 'target' },
    columns: { target: ['string', 'a@b.example/c@d.example', 'root', null] },
    code: 'address',
    says: [
      'forward_to (column target)',
      'is no email address in 2 of 2 rows, such as in the row 1: choose another column, or its `separator`.',
    ],
  },
  'the zone of a name server as a domain': {
    list: 'domains',
    fields: { domain: 'origin' },
    columns: { origin: ['string', 'shop.example.', 'bücher.example', 'xn--bcher-kva.example'] },
    code: 'domain_name',
    says: [
      'domain (column origin)',
      'is no domain name alone in 1 of 3 rows, such as in the row 1: choose another column, or compose it from `columns`.',
    ],
  },
  'an address of the web as a domain': {
    list: 'websites',
    fields: { domain: 'url' },
    columns: { url: ['string', 'https://shop.example/', 'mill.example', 'localhost'] },
    code: 'domain_name',
    says: [
      'domain (column url)',
      'is no domain name alone in 1 of 3 rows, such as in the row 1: choose another column, or compose it from `columns`.',
    ],
  },
  'names of a certificate in a form that is no list': {
    list: 'ssl',
    fields: { sans: 'names' },
    columns: {
      names: ['string', 'DNS:shop.example', 'shop.example *.mill.example 192.0.2.7', null, 'shop.example'],
    },
    code: 'domain_name',
    says: [
      'sans (column names)',
      'is no domain name alone in 1 of 3 rows, such as in the row 1: choose another column, or its `separator`.',
    ],
  },
  'seconds that are read as milliseconds': {
    list: 'accounts',
    fields: { created_at: { column: 'created', time: 'unix-ms' } },
    columns: { created: ['integer', 1735689600, 1740787200, 0] },
    code: 'time_early',
    says: [
      'created_at (column created)',
      'is before February 1970 in 2 of 2 rows, such as "1970-01-21T02:08:09+00:00" in the row 1, "1970-01-21T03:33:07+00:00": if the column holds seconds, say `time: \'unix\'`.',
    ],
    right: { created_at: { column: 'created', time: 'unix' } },
  },
  'a first day that means never': {
    list: 'email',
    fields: { last_login_at: { column: 'seen', zone: 'UTC' } },
    columns: { seen: ['datetime', '1970-01-01 00:00:01', YEAR_AGO, YEAR_AGO] },
    code: 'time_early',
    says: [
      'last_login_at (column seen)',
      'is before February 1970 in 1 of 3 rows, such as "1970-01-01T00:00:01+00:00" in the row 1: if this means none, say so with `null`.',
    ],
    right: { last_login_at: { column: 'seen', zone: 'UTC', null: '1970-01-01 00:00:01' } },
  },
  'a last day that means never': {
    list: 'domains',
    fields: { registration_expires_at: 'expires' },
    columns: { expires: ['date', '9999-12-31', '2027-01-31', '2027-02-28'] },
    code: 'time_late',
    says: [
      'registration_expires_at (column expires)',
      'is after 2100 in 1 of 3 rows, such as "9999-12-31T23:59:59+00:00" in the row 1: if this means never, say so with `null`.',
    ],
    right: { registration_expires_at: { column: 'expires', null: '9999-12-31' } },
  },
  'milliseconds that are read as seconds': {
    list: 'jobs',
    fields: { queued_at: { column: 'at', time: 'unix' } },
    columns: { at: ['bigInteger', 5_000_000_000, 1767225600, 1767225600] },
    code: 'time_late',
    says: [
      'queued_at (column at)',
      'is after 2100 in 1 of 3 rows, such as "2128-06-11T08:53:20+00:00" in the row 1: if the column holds milliseconds, say `time: \'unix-ms\'`.',
    ],
  },
  'an end where a beginning is needed': {
    list: 'databases',
    fields: { created_at: { column: 'ends', zone: 'UTC' } },
    columns: { ends: ['datetime', '2098-01-01 00:00:00', YEAR_AGO, YEAR_AGO] },
    code: 'time_future',
    says: [
      'created_at (column ends)',
      'is in the future in 1 of 3 rows, such as "2098-01-01T00:00:00+00:00" in the row 1: choose the column of what has happened, and say its `zone`.',
    ],
  },
  'local times without their zone': {
    list: 'backups',
    fields: { started_at: 'began' },
    columns: { began: ['datetime', YEAR_AGO, YEAR_AGO, null] },
    code: 'zone',
    says: [
      'started_at (column began)',
      'is read as UTC, because its column has no zone, in 2 of 2 rows, such as "2025-06-12T10:00:00+00:00" in the row 1: confirm `zone: \'UTC\'`, or say the zone of the panel.',
    ],
    right: { started_at: { column: 'began', zone: 'UTC' } },
  },
  'a forgotten unit of a size': {
    list: 'email',
    fields: { quota_bytes: 'quota' },
    columns: { quota: ['integer', 1024, 500, 2048, 0] },
    code: 'unit',
    says: [
      'quota_bytes (column quota)',
      'is less than 100,000 bytes in 3 of 3 rows, such as "1024" in the row 1, "500", "2048": say the unit of the column, such as `unit: \'KB\'`.',
    ],
    right: { quota_bytes: { column: 'quota', unit: 'MB' } },
  },
  'a forgotten unit of a duration': {
    list: 'cron',
    fields: { last_duration_ms: 'seconds' },
    columns: { seconds: ['integer', 3, 12, 45] },
    code: 'unit',
    says: [
      'last_duration_ms (column seconds)',
      'is less than 100 milliseconds in 3 of 3 rows, such as "3" in the row 1, "12", "45": say the unit of the column, such as `unit: \'seconds\'`.',
    ],
    right: { last_duration_ms: { column: 'seconds', unit: 'seconds' } },
  },
  'a unit of a column of bytes': {
    list: 'websites',
    fields: { disk_used_bytes: { column: 'used', unit: 'MB' } },
    columns: { used: ['bigInteger', 5_368_709_120, 1024, 2048] },
    code: 'unit_large',
    says: [
      'disk_used_bytes (column used)',
      'is 1 PiB or more in 1 of 3 rows, such as "5629499534213120" in the row 1: if the column holds a smaller unit, correct `unit`; if this means no limit, say so with `null`.',
    ],
  },
  'a number that means no limit': {
    list: 'accounts',
    fields: { disk_limit_bytes: 'quota' },
    columns: { quota: ['bigInteger', 10_737_418_240, 1_125_899_906_842_624, null] },
    code: 'unit_large',
    says: [
      'disk_limit_bytes (column quota)',
      'is 1 PiB or more in 1 of 3 rows, such as "1125899906842624" in the row 2: if this means no limit, say so with `null`.',
    ],
    right: { disk_limit_bytes: { column: 'quota', null: 1_125_899_906_842_624 } },
  },
  'a limit of 0 that means none': {
    list: 'accounts',
    fields: { website_limit: 'most', website_count: 'sites' },
    columns: { most: ['integer', 0, 0, 0, 5], sites: ['integer', 1, 2, 3, 4] },
    code: 'limit',
    says: [
      'website_limit (column most)',
      'is a limit below website_count in 3 of 3 rows, such as "0" in the row 1: if 0 means no limit, say `null: 0`.',
    ],
    right: { website_limit: { column: 'most', null: 0 }, website_count: 'sites' },
  },
  'a limit of 0 that means none, in a few rows': {
    list: 'email',
    fields: { quota_bytes: { column: 'quota', unit: 'MB' }, used_bytes: 'used' },
    columns: {
      quota: ['integer', 500, 500, 500, 0, 0],
      used: ['integer', 200_000, 300_000, 400_000, 500_000, 600_000],
    },
    code: 'limit',
    says: [
      'quota_bytes (column quota)',
      'is a limit below used_bytes in 2 of 2 rows, such as "0" in the row 4: if 0 means no limit, say `null: 0`.',
    ],
    right: { quota_bytes: { column: 'quota', unit: 'MB', null: 0 }, used_bytes: 'used' },
  },
  'a limit in another unit than what is used': {
    list: 'email',
    fields: { quota_bytes: { column: 'quota', unit: 'KB' }, used_bytes: 'used' },
    columns: {
      quota: ['integer', 1024, 500, 2048],
      used: ['integer', 100_000_000, 200_000_000, 300_000_000],
    },
    code: 'limit',
    says: [
      'quota_bytes (column quota)',
      'is a limit below used_bytes in 3 of 3 rows, such as "1048576" in the row 1, "512000", "2097152": correct the column or the unit of one of them.',
    ],
    right: { quota_bytes: { column: 'quota', unit: 'MB' }, used_bytes: 'used' },
  },
  'a table with rows that are marked as deleted': {
    list: 'domains',
    fields: {},
    columns: { deleted_at: ['datetime', null, YEAR_AGO, null] },
    code: 'deleted_rows',
    says: [
      '',
      'The column deleted_at marks 1 of 3 rows as deleted, and the source does not look at it: leave them out with a `where` on deleted_at.',
    ],
  },
  'a table with a flag for deleted rows': {
    list: 'jobs',
    fields: {},
    columns: { is_deleted: ['integer', 0, 0, 1] },
    code: 'deleted_rows',
    says: [
      '',
      'The column is_deleted marks 1 of 3 rows as deleted, and the source does not look at it: leave them out with a `where` on is_deleted.',
    ],
  },
  'names that are empty, which every row has': {
    list: 'websites',
    fields: { domain: 'name' },
    columns: { name: ['string', 'a.example', '', ' ', null] },
    code: 'text_missing',
    says: [
      'domain (column name)',
      'is empty in 3 of 4 rows, such as in the row 2: choose another column, or leave these rows out, such as with `where`.',
    ],
  },
  'names that many collations take for the same': {
    list: 'accounts',
    fields: { username: 'login' },
    columns: { login: ['string', 'muller', 'Müller', 'anna'] },
    code: 'name_twice',
    says: [
      'username (column login)',
      'is the name of another row, apart from case and accents, in 1 of 3 rows, such as in the row 2: list each row once, and join by its id instead of its name.',
    ],
  },
  "the panel's flag as the status of a certificate whose end is known": {
    list: 'ssl',
    fields: { status: { column: 'state', values: { ok: 'valid', bad: 'failed' } }, expires_at: 'ends' },
    columns: {
      state: ['string', 'ok', 'ok', 'ok', 'bad'],
      ends: ['date', '2024-01-31', '2090-01-31', null, '2024-01-31'],
    },
    code: 'status_end',
    says: [
      'status (column state)',
      'does not follow from expires_at in 2 of 3 rows, such as "valid" in the row 1: read both from the same end, the status with `until`.',
    ],
    right: {
      status: { cases: [{ when: { state: 'bad' }, is: 'failed' }], otherwise: { until: 'ends' } },
      expires_at: 'ends',
    },
  },
  'a text of a local time without a zone': {
    list: 'jobs',
    fields: { finished_at: { column: 'done', time: 'DD.MM.YYYY hh:mm' } },
    columns: { done: ['string', '12.06.2025 10:00', '', '13.06.2025 10:00'] },
    code: 'zone',
    says: [
      'finished_at (column done)',
      'is read as UTC, because its column has no zone, in 2 of 2 rows, such as "2025-06-12T10:00:00+00:00" in the row 1, "2025-06-13T10:00:00+00:00": confirm `zone: \'UTC\'`, or say the zone of the panel.',
    ],
    right: { finished_at: { column: 'done', time: 'DD.MM.YYYY hh:mm', zone: 'Europe/Berlin' } },
  },
  'the end of a certificate as a local time without a zone': {
    list: 'domains',
    fields: { ssl_status: { cases: [{ when: { ssl: 0 }, is: 'none' }], otherwise: { until: 'ends' } } },
    columns: { ssl: ['integer', 1, 0, 1], ends: ['datetime', YEAR_AGO, YEAR_AGO, '2090-01-31 10:00:00'] },
    code: 'zone',
    says: [
      'ssl_status (column ssl, ends)',
      'is read as UTC, because its column has no zone, in 2 of 2 rows, such as "expired" in the row 1, "active": confirm `zone: \'UTC\'`, or say the zone of the panel.',
    ],
    right: {
      ssl_status: { cases: [{ when: { ssl: 0 }, is: 'none' }], otherwise: { until: 'ends', zone: 'UTC' } },
    },
  },
  'the begin of a certificate as its end': {
    list: 'ssl',
    fields: { expires_at: 'begun', issued_at: 'ends' },
    columns: { begun: ['date', '2026-01-31', '2026-02-28'], ends: ['date', '2090-01-31', '2090-02-28'] },
    code: 'time_order',
    says: [
      'expires_at (column begun)',
      'is before issued_at in 2 of 2 rows, such as "2026-01-31T23:59:59+00:00" in the row 1, "2026-02-28T23:59:59+00:00": choose the right column for each, and the same `zone`.',
    ],
    right: { expires_at: 'ends', issued_at: 'begun' },
  },
  'addresses of all types as mailboxes': {
    list: 'accounts',
    fields: { mailbox_count: { count: 'email' } },
    columns: { plan: ['string', 'Basic', 'Basic'] },
    beside: {
      email: {
        fields: ['id', 'address', 'type', 'status', 'account_id'],
        ids: 'integer',
        rows: () =>
          ['mailbox', 'alias'].map((type, id) => ({
            id,
            address: `${type}@shop.example`,
            type,
            status: 'active',
            account_id: 1,
          })),
      },
    },
    code: 'count_list',
    says: [
      'mailbox_count',
      "counts other rows in 1 of 2 rows, such as \"2\" in the row 1: say `{ count: 'email', where: { type: 'mailbox' } }`, or leave the field out.",
    ],
    right: { mailbox_count: { count: 'email', where: { type: 'mailbox' } } },
  },
  'a confirmation of words, which no rule doubts': {
    list: 'backups',
    fields: { method: { column: 'kind', values: { all: 'full', delta: 'incremental' }, confirm: true } },
    columns: { kind: ['string', 'all', 'delta'] },
    code: 'confirm_unused',
    says: ['method', 'has a `confirm` that silences nothing: leave it out.'],
    right: { method: { column: 'kind', values: { all: 'full', delta: 'incremental' } } },
  },
  'a word that the field does not have': {
    list: 'domains',
    fields: { status: { column: 'state', values: { on: 'running' } } },
    columns: { state: ['string', 'on', 'on', 'on'] },
    code: 'word_unknown',
    says: [
      '',
      'The description of the field status maps to "running", but the words of the field are active, suspended, pending, unknown.',
    ],
  },
  'a column that does not exist': {
    list: 'domains',
    fields: { registration_expires_at: 'ends' },
    columns: { expires: ['date', '2027-01-31'] },
    code: 'column_missing',
    says: ['', 'The table domains has no column ends (field registration_expires_at).'],
  },
};

test('the page on checks names the code of each mistake', () => {
  const page = readFileSync(join(__dirname, '../../../docs/how-to/check-sources.md'), 'utf8');
  const codes = new Set(Object.values(MISTAKES).map(({ code }) => code));
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  expect(codes.size).toBeGreaterThan(20);
});

describe('A mistake in a description is named by panel-api check', () => {
  const panels = sourcePanels('sqlite');

  beforeEach(() =>
    panels.table(
      'customers',
      {},
      [10, 11, 12].map((id) => ({ id })),
    ),
  );

  const checked = async ({ list, columns, beside }: Mistake, fields: Readonly<Record<string, unknown>>) => {
    const cells = Object.entries(columns).map(([name, [, ...values]]) =>
      values.map((value) => [name, value]),
    );
    const rows = (cells[0] ?? []).map((_, row) =>
      Object.fromEntries(cells.map((column) => column[row] ?? [])),
    );
    const types = Object.entries(columns).map(([name, [type]]) => [name, type]);
    await panels.knex.schema.dropTableIfExists(list);
    await panels.table(list, Object.fromEntries(types), rows);
    const customers = { table: 'customers', fields: { ...BESIDE.accounts } };
    const sources = {
      accounts: customers,
      ...beside,
      [list]: { table: list, fields: { ...BESIDE[list], ...fields } },
    };
    const found = await checkSources({ db: panels.knex, sources: sources as Sources });
    return found.find(({ resource }) => resource === list)?.warnings;
  };

  test.each(Object.entries(MISTAKES))('%s', async (_title, mistake) => {
    const {
      fields,
      code,
      says: [field, end],
      right,
    } = mistake;
    const sentence = field === '' ? end : `The field ${field} ${end}`;
    expect(await checked(mistake, fields)).toEqual([expect.objectContaining({ code, sentence })]);
    if (right) expect(await checked(mistake, right)).toEqual([]);
  });

  const CONFIRMABLE = Object.entries(MISTAKES).filter(
    ([, { code }]) =>
      !['word_unknown', 'column_missing', 'id_type', 'unmapped', 'count_list', 'confirm_unused'].includes(
        code,
      ),
  );

  test.each(CONFIRMABLE)('%s, unless it is confirmed', async (_title, mistake) => {
    const [[name, description] = ['id', 'id']] = Object.entries(mistake.fields);
    const form = typeof description === 'string' ? { column: description } : Object(description);
    const fields = { ...mistake.fields, [name]: { ...form, confirm: true } };
    expect(await checked(mistake, fields)).toEqual([]);
  });
});
