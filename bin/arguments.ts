import type { Command } from 'commander';
import { isTokenId } from '../lib/audit/AuditLog';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { printable } from '../lib/errors/printable';
import { declaredSettings, SETTING_KEYS } from '../lib/settings/declaredSettings';
import type { SettingKey } from '../lib/settings/Setting';
import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRequest } from '../lib/tokens/checkTokenRequest';

/** What every command understands. */
export interface GlobalOptions {
  readonly database?: string;
  readonly config?: string;
  readonly tablePrefix?: string;
  readonly json?: boolean;
}

export function addGlobalOptions(program: Command): Command {
  return program
    .option(
      '--database <url>',
      'mysql://, mariadb://, postgres:// or sqlite: URL, or the path of an SQLite file',
    )
    .option(
      '--config <file>',
      'a module that exports the options of createPanelApi, or a function that gives them',
    )
    .option('--table-prefix <prefix>', "first part of the names of the module's tables, beside a URL")
    .option('--json', 'print JSON for scripts');
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  m: 60,
  h: 3600,
  d: DAY_SECONDS,
  w: 7 * DAY_SECONDS,
  y: 365 * DAY_SECONDS,
};

const DURATION = /^(\d+)([mhdwy])$/;

/** The seconds of a duration as it was typed, such as 30m, 12h, 90d, 2w or 1y; null for what is none. */
function parseDuration(text: string): number | null {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN);
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * An expiry as it was typed: a duration, which counts from the database's clock, or a date with or without a time,
 * in UTC unless it says otherwise. Throws InvalidInput.
 */
export function parseExpiry(text: string): Pick<TokenRequest, 'expiresInSeconds' | 'expiresAt'> {
  const duration = parseDuration(text);
  return duration === null ? { expiresAt: secondsOf(text) } : { expiresInSeconds: duration };
}

function secondsOf(text: string): number {
  const [, date, minutes = '00:00', seconds = '00', zone = 'Z'] = DATE.exec(text) ?? [];
  const local = `${date}T${minutes}:${seconds}`;
  // The round trip refuses days that no calendar has: JavaScript takes February 30 for March 2.
  if (date === undefined || isoOf(Date.parse(`${local}Z`)) !== local) throw nonsense();
  const milliseconds = Date.parse(local + zone.toUpperCase());
  if (Number.isNaN(milliseconds)) throw nonsense();
  return milliseconds / 1000;
}

function isoOf(milliseconds: number): string | null {
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString().slice(0, 19);
}

function nonsense(): InvalidInput {
  return new InvalidInput(
    'expires',
    'The expiry must be a duration such as 30m, 12h, 90d, 2w or 1y, or a date such as 2030-12-31 or 2030-12-31T18:00:00+01:00.',
  );
}

/** The seconds of a grace time as it was typed: a duration, or 0. Throws InvalidInput. */
export function parseGrace(text: string): number {
  const seconds = text === '0' ? 0 : parseDuration(text);
  if (seconds !== null) return seconds;
  throw new InvalidInput('graceSeconds', 'The grace must be 0 or a duration such as 30m, 12h, 7d or 2w.');
}

/** The id of a token as it was typed. Throws InvalidInput. */
export function parseId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && isTokenId(id)) return id;
  throw new InvalidInput('id', 'The id of a token is a whole number from 1 to 2147483647.');
}

/** A number of requests as it was typed. Throws InvalidInput. */
export function parseRateLimit(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidInput('rateLimit', 'The rate limit is a whole number of requests, at least 1.');
}

const WORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
  never: null,
};

interface TypedSetting {
  readonly key: SettingKey;
  readonly value: unknown;
}

/** A setting as it was typed, by its name; whether its value can be that is left to the settings. Throws InvalidInput. */
export function parseSetting(name: string, text: string): TypedSetting {
  return { key: keyOf(name), value: Object.hasOwn(WORDS, text) ? WORDS[text] : numberOr(text) };
}

function keyOf(name: string): SettingKey {
  const key = SETTING_KEYS.find((each) => declaredSettings[each].name === name);
  if (key !== undefined) return key;
  const names = SETTING_KEYS.map((each) => declaredSettings[each].name).join(', ');
  throw new InvalidInput('name', `There is no setting ${printable(name, 64)}. The settings are ${names}.`);
}

function numberOr(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
