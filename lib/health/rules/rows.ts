import { timeOf } from '../../problems/problems';
import { FACT_RULES } from './facts';
import { above, isIn, nameOf, on, type Rule } from './Rule';
import { MOST_NAMES } from './values';

const has = (names: unknown, name: unknown) => [names].flat().some((one) => nameOf(one) === nameOf(name));

/** Shorter times are not compared with a duration: they are of whole seconds. */
const LEAST_MS = 5000;

/** A number, a flag, a uuid or a cuid. */
const NO_TEXT =
  /^(?:-?\d{1,2}|true|false|yes|no|on|off|[yntf]|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|c[\da-z]{24})$/i;

/** Texts that may be one. */
const MAY_BE_NO_TEXT =
  /version$|^(?:services.id|databases.name|accounts.username|backups.file_name|ssl.key_type|settings.+)$|\.(?:system_user|run_as)$/;

/** Values of which each row of a list that is not written at once has its own. */
const OWN =
  /^(?!services|settings)\w+\.(?:(?:created|updated|issued|finished|last_login|registration_expires)_at|(?<!email\.)(?:\w+_)?used_bytes|size_bytes|(?:website|domain|mailbox|database)_count|target_id)$/;

/** The forms of fields, or their beginning; of some, by the word of another field. */
const FORMS: Readonly<Record<string, RegExp>> = {
  // A panel's word names no member of all objects.
  __proto__: null as never,
  php: /^(?:\D*[4-9]\.\d|\D+[4-9]\d?$|\D*$)/,
  mysql: /^\D*(?:[3-9](?:\D|$)|$)/,
  mariadb: /^\D*(?:(?:5|1[0-3])(?:\D|$)|$)/,
  postgresql: /^\D*(?:(?:[7-9]|[12]\d)(?:\D|$)|$)/,
  url: /^\S+$|https?:/i,
  command: /^(?!https?:)/i,
  port: /^[1-9]\d{0,4}$/,
  progress_percent: /^(?!0\.)/,
  fingerprint_sha256: /^(?:[\da-f]{2}[: ]?){32}$/i,
  charset: /^(?!.*_(?:ai|bin|ci|cs)$)/i,
};

/** The other fields. */
const BY: Record<string, string> = { runtime_version: 'runtime', engine_version: 'engine', command: 'type' };

const TESTS = {
  duration: on('backups.duration_ms jobs.duration_ms', (value, { started_at, finished_at }) => {
    const between = timeOf(finished_at) - timeOf(started_at);
    return between > LEAST_MS ? Math.abs(Number(value) - between) > between / 4 : null;
  }),
  catch_all: on('email.address', (value, { type, forward_to }) => {
    // All addresses of an aliased domain lead to those of another.
    const isDomain = type === 'alias' && String(forward_to).startsWith('@');
    if (isDomain || !isIn('mailbox forwarder alias catchall list', type)) return null;
    return String(value).startsWith('@') !== (type === 'catchall');
  }),
  own_name: on('websites.aliases email.forward_to', (value, row) => has(value, row.address ?? row.domain)),
  common_name: on('ssl.sans', (sans, row) => (String(sans) ? !has(sans, row.common_name) : null)),
  timezone: on('cron.timezone', (_zone, { schedule, enabled, next_run_at }) =>
    enabled && !String(schedule).startsWith('@') ? next_run_at === null : null,
  ),
  parent_name({ list, name }) {
    const names = new Map<unknown, unknown>();
    if (list !== 'domains' || name !== 'parent_id') return null;
    return ({ value, item: { id, domain, type } }) => {
      if (names.size < MOST_NAMES) names.set(id, domain);
      const parent = names.get(value);
      return parent && type === 'subdomain' ? !nameOf(domain).endsWith(`.${nameOf(parent)}`) : null;
    };
  },
  blanks: ({ field: { form } }) => (form ? ({ value }) => /^\s+\S|\S\s+$/.test(String(value ?? '')) : null),
  no_text: ({ list, name, field: { kind, form } }) =>
    kind !== 'text' || form || MAY_BE_NO_TEXT.test(`${list}.${name}`)
      ? null
      : ({ value }) => (value === null ? null : NO_TEXT.test(String(value))),
  same_value({ list, name }) {
    if (!OWN.test(`${list}.${name}`)) return null;
    const seen = new Set<string>();
    return ({ value }) => {
      if (/^[01]?$/.test(String(value ?? ''))) return null;
      if (seen.size < 2) seen.add(String(value));
      return seen.size === 1;
    };
  },
  form({ name }) {
    const by = BY[name];
    if (!by && !(name in FORMS)) return null;
    return ({ value, item }) => {
      const form = FORMS[by ? String(item[by]) : name];
      return form && value !== null ? !form.test(String(value)) : null;
    };
  },
} satisfies Record<string, Rule['testOf']>;

/** The share of the rows above which a mistake is found, of how many rows at least, and what is said of it. */
const SAID: Record<keyof typeof TESTS, readonly [number, number, string, string]> = {
  duration: [0.4, 2, 'is not finished_at minus started_at', 'say its `unit`, or leave it out to be computed'],
  catch_all: [0, 1, 'contradicts type', 'begin the address of each catch-all, and of no other, with `@`'],
  own_name: [0.05, 1, "contains the row's own name", 'leave it out'],
  common_name: [0.4, 2, 'lacks common_name', 'choose the column of the names of this certificate'],
  timezone: [0.4, 1, 'gives no next run', 'use IANA names, such as Europe/Berlin'],
  parent_name: [0.05, 1, "is not the end of the subdomain's name", 'choose the parent, or correct type'],
  blanks: [0.05, 1, 'begins or ends with a blank', 'remove it, such as with `from`'],
  no_text: [0.99, 2, 'is a number, a flag or an id', 'choose the column of the text, or join to it'],
  same_value: [0.99, 10, 'is the same', 'choose a column of the row itself, and join by its id'],
  form: [0.05, 1, 'has another form than it should', 'convert it, or correct the runtime, engine or type'],
};

const TEST_RULES = Object.entries(SAID).map(([code, [share, least, ...said]]) => ({
  code,
  testOf: TESTS[code as keyof typeof TESTS],
  isFound: above(share, least),
  say: () => said,
}));

export const ROW_RULES: readonly Rule[] = [...FACT_RULES, ...TEST_RULES];
