import { inspect } from 'node:util';
import { DAY_MS } from '../../time/time';
import { type CheckedField, isComputed, keyword, type Rule } from './Rule';

// Times of the API, which sort as texts.
const EARLY = '1970-02';
const LATE = '2100';

/** How far the clocks of two machines may differ. */
const SLACK_MS = 300_000;

/** Times of what has happened. */
const PAST = /^(?:created|updated|started|finished|queued|last_\w+)_at$/;

const isTime = ({ field: { kind } }: CheckedField) => kind === 'time';

const early: Rule = {
  code: 'time_early',
  testOf: (field) => (isTime(field) ? ({ value }) => (value === null ? null : String(value) < EARLY) : null),
  say: (field) => [
    'is before February 1970',
    keyword(field, 'time') === 'unix-ms'
      ? "if the column holds seconds, say `time: 'unix'`"
      : 'if this means none, say so with `null`',
  ],
};

const late: Rule = {
  code: 'time_late',
  testOf: (field) => (isTime(field) ? ({ value }) => (value === null ? null : String(value) >= LATE) : null),
  say: (field) => [
    `is after ${LATE}`,
    keyword(field, 'time') === 'unix'
      ? "if the column holds milliseconds, say `time: 'unix-ms'`"
      : 'if this means never, say so with `null`',
  ],
};

const future: Rule = {
  code: 'time_future',
  testOf(field) {
    if (!isTime(field) || !PAST.test(field.name)) return null;
    const now = new Date(Date.now() + SLACK_MS).toISOString();
    return ({ value }) => (value === null ? null : String(value) > now && String(value) < LATE);
  },
  say: (field) => [
    'is in the future',
    isComputed(field)
      ? 'return the time with its zone'
      : 'choose the column of what has happened, and say its `zone`',
  ],
};

/** Local times, read as UTC. By its type, a column of instants has none. */
const zone: Rule = {
  code: 'zone',
  testOf(field) {
    const { columns, description } = field.plan;
    const otherwise = Object(keyword(field, 'otherwise'));
    const { until, from, time, zone } = 'until' in otherwise ? otherwise : Object(description);
    const isLocal =
      /^(?:datetime|timestamp without time zone)/.test(columns.at(-1)?.type ?? '') ||
      (/h/.test(String(time)) && !/\[(?:GMT|UTC|Z)\]/.test(String(time)));
    // The columns of a panel that has named them for the API hold what the API expects.
    if (!isLocal || description === undefined || isComputed(field) || (from ?? zone) !== undefined)
      return null;
    if (until !== undefined)
      return ({ value }) => (String(value) in DAYS || value === 'active' ? true : null);
    return isTime(field) ? ({ value }) => (value === null ? null : true) : null;
  },
  say: () => [
    'is read as UTC, because its column has no zone,',
    "confirm `zone: 'UTC'`, or say the zone of the panel",
  ],
};

/** The time that comes first. */
const FIRST: Readonly<Record<string, string>> = {
  expires_at: 'issued_at',
  finished_at: 'started_at',
  started_at: 'queued_at',
  updated_at: 'created_at',
  last_login_at: 'created_at',
  next_run_at: 'last_run_at',
  registration_expires_at: 'created_at',
};

const order: Rule = {
  code: 'time_order',
  testOf({ name, field: { kind } }) {
    const first = FIRST[name];
    if (kind !== 'time' || first === undefined) return null;
    return ({ value, item: { [first]: before } }) =>
      value && before && value !== before ? String(value) < String(before) : null;
  },
  isFound: ({ tested, doubtful }) => doubtful >= 2 && doubtful * 2 > tested,
  say: ({ name }) => [`is before ${FIRST[name]}`, 'choose the right column for each, and the same `zone`'],
};

/** The words of `ssl.status` that follow from the end, and the days until an end for which they are right. */
const DAYS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  // A panel's word names no member of all objects.
  __proto__: null as never,
  expired: [-Infinity, 1],
  expiring: [-1, 31],
  valid: [29, Infinity],
};

/** The status of a certificate does not follow from its end. */
const statusEnd: Rule = {
  code: 'status_end',
  testOf({ list, name }) {
    if (list !== 'ssl' || name !== 'status') return null;
    return ({ value, item: { expires_at: end } }) => {
      const [least, most] = DAYS[String(value)] ?? [];
      if (least === undefined || most === undefined || end === undefined) return null;
      const days = end === null ? Number.NaN : (Date.parse(String(end)) - Date.now()) / DAY_MS;
      return !(days >= least && days <= most);
    };
  },
  say: () => ['does not follow from expires_at', 'read both from the same end, the status with `until`'],
};

/** A flag says that a certificate is valid, and nothing says until when. */
const statusFlag: Rule = {
  code: 'status_flag',
  testOf(field) {
    const said = inspect(field.plan.description, { depth: 5 });
    const isMapped = /\b(?:value|values|cases):/.test(said) && !/\b(?:until|expired)\b/.test(said);
    if (!field.field.words?.includes('expiring') || !isMapped) return null;
    return ({ value, item }) =>
      value === null || item.expires_at !== undefined ? null : value === 'active' || value === 'valid';
  },
  say: () => [
    'does not follow from the end of the certificate',
    'read it from the end with `until`, or say `unknown` if the end is not known',
  ],
};

export const TIME_RULES: readonly Rule[] = [early, late, future, zone, order, statusEnd, statusFlag];
