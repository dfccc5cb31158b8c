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
  testsOf: (field) => (isTime(field) ? [({ value }) => (value === null ? null : String(value) < EARLY)] : []),
  say: (field) => [
    'is before February 1970',
    keyword(field, 'time') === 'unix-ms'
      ? "if the column holds seconds, say `time: 'unix'`"
      : 'if this means none, say so with `null`',
  ],
};

const late: Rule = {
  code: 'time_late',
  testsOf: (field) => (isTime(field) ? [({ value }) => (value === null ? null : String(value) >= LATE)] : []),
  say: (field) => [
    `is after ${LATE}`,
    keyword(field, 'time') === 'unix'
      ? "if the column holds milliseconds, say `time: 'unix-ms'`"
      : 'if this means never, say so with `null`',
  ],
};

const future: Rule = {
  code: 'time_future',
  testsOf(field) {
    if (!isTime(field) || !PAST.test(field.name)) return [];
    const now = new Date(Date.now() + SLACK_MS).toISOString();
    return [({ value }) => (value === null ? null : String(value) > now && String(value) < LATE)];
  },
  say: (field) => [
    'is in the future',
    isComputed(field)
      ? 'return the time with its zone'
      : 'choose the column of what has happened, and say its `zone`',
  ],
};

/** A column of local times, read as UTC. By its type, a column of instants has none. */
const zone: Rule = {
  code: 'zone',
  testsOf(field) {
    const { columns, description } = field.reading;
    const isLocal = columns.some(({ type }) => /^(?:datetime|timestamp without time zone)/.test(type));
    // The columns of a panel that has named them for the API hold what the API expects.
    if (!isTime(field) || !isLocal || description === undefined || isComputed(field)) return [];
    return keyword(field, 'zone') === undefined ? [({ value }) => (value === null ? null : true)] : [];
  },
  say: () => [
    'is read as UTC, because its column has no zone,',
    "confirm `zone: 'UTC'`, or say the zone of the panel",
  ],
};

export const TIME_RULES: readonly Rule[] = [early, late, future, zone];
