import { above, isIn, keyword, type Rule } from './Rule';

/** The code of what is against a fact, and how many rows show it. */
const KINDS = {
  /** The definitions of the fields exclude a value, or require one. */
  never: ['unexpected', above(0.05)],
  always: ['empty', above(0.4, 3)],
  /** Few of the rows have a value, or most. */
  seldom: ['unexpected', above(0.5, 3)],
  mostly: ['empty', above(0.4, 10)],
  /** Few rows have one of these words. A panel may require a flag of all. */
  few: ['frequent', above(0.6, 10)],
  some: ['frequent', (tally) => above(0.7, 10)(tally) && tally.doubtful < tally.tested],
} satisfies Record<string, readonly [code: string, isFound: Rule['isFound'] & {}]>;

/**
 * What the rows of lists have in these fields. The words are those of the field `by` in the rows that are meant, without
 * words in all; those of the fields themselves for `few` and `some`.
 */
type Fact = readonly [kind: keyof typeof KINDS, lists: string, fields: string, words?: string, by?: string];

const FACTS: readonly Fact[] = [
  ['never', 'accounts', 'suspend_reason', 'active pending'],
  ['never', 'domains', 'parent_id', 'primary addon parked', 'type'],
  ['never', 'ssl', 'expires_at', 'pending'],
  ['never', 'backups jobs', 'error', 'queued running succeeded cancelled'],
  ['seldom', 'backups jobs', 'started_at', 'queued'],
  ['never', 'backups jobs', 'finished_at', 'queued running'],
  ['never', 'backups', 'account_id website_id', 'server', 'scope'],
  ['never', 'cron', 'last_run_at last_exit_code', 'never', 'last_status'],
  ['never', 'cron', 'next_run_at', 'false', 'enabled'],
  ['never', 'services', 'pid memory_bytes started_at', 'stopped failed not_installed'],
  ['seldom', 'websites', 'runtime_version', 'static proxy', 'runtime'],
  ['seldom', 'email', 'used_bytes last_login_at', 'forwarder alias catchall list', 'type'],
  ['seldom', 'cron', 'last_exit_code', 'succeeded', 'last_status'],
  ['always', 'domains', 'parent_id', 'subdomain alias', 'type'],
  ['always', 'email', 'forward_to', 'forwarder alias', 'type'],
  ['always', 'backups jobs', 'started_at finished_at', 'succeeded'],
  ['mostly', 'accounts domains websites email databases', 'email role account_id runtime users'],
  ['mostly', 'ssl', 'auto_renew', 'acme', 'type'],
  ['mostly', 'backups', 'size_bytes', 'succeeded'],
  ['mostly', 'backups', 'account_id', 'account website database email', 'scope'],
  ['few', 'accounts domains email', 'status role', 'suspended pending admin reseller'],
  ['few', 'websites databases services', 'status enabled', 'suspended stopped disabled error failed false'],
  ['few', 'backups cron', 'status last_status enabled', 'failed partial false'],
  ['few', 'accounts email databases', 'disk_limit_bytes quota_bytes size_limit_bytes', '0'],
  ['some', 'accounts email databases', 'two_factor_enabled autoresponder_enabled remote_access', 'true'],
];

const isSet = (value: unknown) => !/^(?:|0|false|unknown)$/.test(String(value ?? ''));

function factRule([kind, lists, fields, words = '', by = 'status']: Fact): Rule {
  const [code, isFound] = KINDS[kind];
  return {
    code,
    testOf(field) {
      if (!isIn(lists, field.list) || !isIn(fields, field.name)) return null;
      // A part may have the rows of one word alone.
      if (code === 'frequent')
        return keyword(field, 'value') === undefined ? ({ value }) => isIn(words, value) : null;
      // What the description names as none is none.
      const isNone = (raw: unknown) => kind === 'mostly' && raw !== null && field.plan.isNone?.(raw);
      return ({ value, item, raws }) =>
        (words === '' || isIn(words, item[by])) && !raws.some(isNone)
          ? isSet(value) === (code === 'unexpected')
          : null;
    },
    isFound,
    say(_field, { values }) {
      const rows = words ? ` although ${by} is ${words.replaceAll(' ', ' or ')}` : '';
      if (code === 'unexpected') return [`is set${rows}`, `read null in such rows, or correct ${by}`];
      if (code === 'empty') return [`is null, empty, 0 or false${rows}`, 'correct the column, join or words'];
      return [`is ${[...values].join(' or ')}`, 'if the panel shows another, correct which value means this'];
    },
  };
}

export const FACT_RULES = FACTS.map(factRule);
