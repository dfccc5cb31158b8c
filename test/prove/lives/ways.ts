import { userInfo } from 'node:os';
import type { CreatedToken } from '../../../index';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { panelApiHere } from '../../fixture/command/panelApi';
import { AUTHOR, type HostProcess } from '../../fixture/processes/hostProcess';
import { formFields, hiddenFields, shownToken } from '../../fixture/section/sectionPanel';
import type { Answer } from './answers';
import type { Created, Model } from './model';
import { daysOf, type Step, storedName } from './steps';

/** The actors of changes, by their way. */
export const ACTORS = { panel: AUTHOR.actor, 'api-section': 'ann', cli: userInfo().username };

/** Whether a change was made, null if that is open; or an answer. With the token that was created. */
export type Outcome = readonly [result: boolean | null | Answer, created: Created];

type Field = readonly [name: string, value: string];

/** Where a change is made. */
export interface Place {
  readonly host: HostProcess;
  /** The URL of the database. */
  readonly url: string;
  /** When the life began, in seconds since 1970, without its waits. */
  readonly beganAt: number;
  /** Gets a page of the section, or sends a form. */
  readonly page: (
    host: HostProcess,
    path: string,
    form?: URLSearchParams,
  ) => Promise<Readonly<Pick<Response, 'status'> & { text: string }>>;
}

export const NONE: Created = { id: 0, plain: null };
const REFUSED: Outcome = [false, NONE];

/** The option of the command, the one for none, and the field of forms, by the property. */
const WORDS: Readonly<Record<string, readonly [option: string, none: string, field: string]>> = {
  name: ['--name', '', 'name'],
  note: ['--note', '--note=', 'note'],
  scopes: ['--scope', '', 'scope'],
  accounts: ['--account', '--any-account', 'account'],
  allowedAddresses: ['--allow', '--any-address', 'addresses'],
  rateLimit: ['--rate-limit', '--default-rate-limit', 'rate_limit'],
};

/** The properties that a step names, with the ids of accounts, and the new expiry in seconds since 1970. */
function named(step: Step, model: Model, beganAt: number) {
  const { accounts, owner, days: _, ...others } = step.properties;
  const days = daysOf(step);
  const ids = accounts?.map((index) => String(model.accounts[index]?.id)) ?? null;
  const values: Record<string, unknown> = { ...others, ...(accounts !== undefined && { accounts: ids }) };
  const expiresAt = days && beganAt + (days * 24 - model.now) * HOUR;
  return { values, days, expiresAt, isOwner: accounts?.length === 1 && owner === true };
}

/** Makes a change by a method of the panel's API. */
async function byApi(step: Step, model: Model, { host, beganAt }: Place): Promise<Outcome> {
  const { values, isOwner, expiresAt } = named(step, model, beganAt);
  const { accounts, ...same } = values;
  const [first = null, ...others] = (accounts ?? []) as readonly string[];
  const bound = others.length > 0 ? { accountIds: accounts } : { accountId: first, owner: isOwner };
  const end = expiresAt !== undefined && { expiresAt };
  const wanted = { ...same, ...(accounts !== undefined && bound), ...end };
  const args: Partial<Record<Step['do'], readonly unknown[]>> = {
    create: ['create', { name: 'life', scopes: ['*'], ...wanted }],
    edit: ['update', step.token, wanted],
    rotate: ['rotate', step.token, { ...wanted, graceSeconds: step.hours * HOUR }],
    revoke: ['revoke', step.token],
    set: ['change', Object.fromEntries([step.setting])],
  };
  const [method, ...given] = args[step.do] ?? [step.do, step.token, wanted];
  const part = step.do === 'set' ? 'settings' : 'tokens';
  try {
    const created = await host.call<CreatedToken | undefined>(part, String(method), ...given, AUTHOR);
    return [true, created?.token ? { id: created.record.id, plain: created.token } : NONE];
  } catch (error) {
    if (/^(?:InvalidInput|StaleToken):/.test((error as Error).message)) return REFUSED;
    throw error;
  }
}

/** Makes a change by the command, in this process. */
async function byCommand(step: Step, model: Model, { url, beganAt }: Place): Promise<Outcome> {
  const { values, isOwner, expiresAt } = named(step, model, beganAt);
  const isNew = step.do === 'create';
  const options = Object.entries({ ...(isNew && { name: 'life', scopes: '*' }), ...values }).flatMap(
    ([name, value]) => {
      const [option, none] = WORDS[name] ?? ['', ''];
      const words = [value ?? []].flat().flatMap((one) => [option, String(one)]);
      return words.length === 0 ? [none] : words;
    },
  );
  const words = isNew ? ['token', 'create', ...options] : ['token', step.do, String(step.token), ...options];
  if (typeof expiresAt === 'number') words.push('--expires', new Date(expiresAt * 1000).toISOString());
  if (expiresAt === null) words.push('--expires', 'never');
  if (step.do === 'rotate') words.push('--grace', `${step.hours}h`);
  if (isOwner) words.push('--owner');
  const [setting, value] = step.setting;
  const args = step.do === 'set' ? ['settings', 'set', storedName(setting), String(value)] : words;
  const { code, stdout, stderr } = await panelApiHere(url, [...args, '--json']);
  if (code === 2) return REFUSED;
  if (code !== 0) throw new Error(stderr);
  const { id, token } = JSON.parse(stdout);
  return [true, token ? { id, plain: token } : NONE];
}

/** Makes a change by a form of the section, as a browser sends it. */
async function byForm(step: Step, model: Model, { host, beganAt, page }: Place): Promise<Outcome> {
  const { values, isOwner, days, expiresAt } = named(step, model, beganAt);
  const fields = Object.entries(values).flatMap(([name, value]) => {
    const all = name === 'scopes' ? [value].flat() : [[value ?? ''].flat().join()];
    return all.map((one): Field => [WORDS[name]?.[2] ?? '', String(one)]);
  });
  if ('accounts' in values) fields.push(['owner', isOwner ? 'yes' : ''], ['account_id', '']);
  if (step.do === 'extend') fields.push(['expires_at', String(expiresAt ?? 'never')]);
  else if (days === null) fields.push(['expiry', 'never']);
  const target = step.do === 'set' ? 'settings' : `tokens/${step.token}/${step.do}`;
  const fieldsOf = step.do === 'edit' ? formFields : hiddenFields;
  const form = new URLSearchParams(fieldsOf((await page(host, target)).text, target));
  if (form.size === 0) return REFUSED;
  const [setting, value] = [storedName(step.setting[0]), step.setting[1]];
  const more: Partial<Record<Step['do'], readonly Field[]>> = {
    edit: [['reviewed', 'yes']],
    rotate: Object.entries({ grace: String(step.hours * HOUR), expiry: 'keep' }),
    set: Object.entries({ confirmed: 'yes', ...(value !== false && { [setting]: String(value) }) }),
  };
  // Without what was shown of a setting, the form leaves it as it is.
  for (const name of step.do === 'set' ? [...form.keys()] : [])
    if (name.startsWith('shown_') && name !== `shown_${setting}`) form.delete(name);
  const sent = await page(host, target, merged(merged(form, more[step.do] ?? []), fields));
  const plain = shownToken(sent.text) ?? null;
  const id = Number(/class="button" href="[^"]*tokens\/(\d+)"/.exec(sent.text)?.[1]);
  return plain === null || sent.status !== 200 ? [sent.status === 303, NONE] : [true, { id, plain }];
}

/** Fields in which these replace those of the same names. */
function merged(base: URLSearchParams, fields: readonly Field[]): URLSearchParams {
  const all = new URLSearchParams(base);
  for (const [name] of fields) all.delete(name);
  for (const [name, value] of fields) all.append(name, value);
  return all;
}

export const WAYS = { panel: byApi, cli: byCommand, 'api-section': byForm };
