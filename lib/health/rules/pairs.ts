import { timeOf } from '../../problems/problems';
import type { Row } from '../../sources/Source';
import { HOUR_SECONDS } from '../../time/time';
import { LEAST_ROWS, type LookUp, nameOf, type Rule } from './Rule';

/** What a row contradicts, and the share of rows above which that is a finding: panels are odd. */
const CONTRADICTED = {
  owner_differs: ['account_id of its website or domain', 0.1],
  mail_differs: ['mail_enabled of its domain', 0.5],
  issuer_differs: ['issuer', 0.5],
  renewal_differs: ['last_renewal_at', 0.5],
  suspended_differs: ['status of its website', 0.5],
  https_differs: ['ssl_enabled of its website', 0.1],
  https_missing: ['ssl_enabled of its website', 0.5],
  certificate_differs: ['ssl_status of its domain', 0.3],
  website_domain: ['domain and website_id in domains', 0.3],
  type_differs: ['the main domain of its website', 0.2],
  type_reference: ['parent_id or website_id', 0.2],
  engine_differs: ['port', 0.2],
  primary_domain: ['domain and account_id in domains', 0.2],
  owner_role: ['the role of this account, customer,', 0.3],
  certificate_names: ['the names of the certificate', 0.5],
  target: ['target_type, of whose list it is no id,', 0.9],
  last_run: ['last_run_at of its task', 0.5],
} as const satisfies Readonly<Record<string, readonly [what: string, share: number]>>;

/** What is found in place of a row that does not exist. */
const NONE: Row = {};

type Differs = (item: Row, other: Row) => boolean | null;

/** A rule over a field, `list.field`, and a row of another list. */
function pair(code: keyof typeof CONTRADICTED, place: string, lookUp: LookUp | null, differs: Differs): Rule {
  const [what, share] = CONTRADICTED[code];
  return {
    code,
    lookUp: () => lookUp,
    testOf: ({ list, name }) =>
      place === `${list}.${name}`
        ? ({ item, other }) => (lookUp && other === undefined ? null : differs(item, other ?? NONE))
        : null,
    isFound: ({ tested, doubtful }) => doubtful >= LEAST_ROWS && doubtful > tested * share,
    say: () => [`contradicts ${what}`, 'correct the column, the words or the reference of one of them'],
  };
}

const WEBSITE: LookUp = { list: 'websites', by: 'id', of: ({ website_id: id }) => id };
const OWNER: LookUp = { list: 'accounts', by: 'id', of: ({ owner_id: id }) => id };
const named = (of: LookUp['of']): LookUp => ({ list: 'domains', by: 'domain', of });
const DOMAIN = named(({ domain, address }) => domain ?? String(address).split('@').at(-1));
const MAIN = named((item) => item.primary_domain ?? item.common_name);

/** Looks up what a job processes, if a panel's word for this list names it. */
const target = (list: string, words: RegExp): LookUp => ({
  list,
  by: 'id',
  of: ({ target_type: type, target_id: id }) => (words.test(String(type)) ? id : null),
});
const TASK = target('cron', /^(?:cron.*|scheduled_?tasks?)$/i);

const isKnown = (value: unknown) => value !== null && value !== undefined;
const isOther = (one: unknown, other: unknown) =>
  isKnown(one) && isKnown(other) ? String(one) !== String(other) : null;
const isOtherOwner: Differs = (item, other) => isOther(item.account_id, other.account_id);

/** Whether a domain does not exist, or its reference is to another row. */
const leadsElsewhere =
  (reference: string): Differs =>
  ({ id }, domain) =>
    domain === NONE || isOther(id, domain[reference]);

/** Whether a certificate has this name, or a wildcard for it. */
const hasName = ({ common_name, sans }: Row, name: unknown) => {
  const names = [name, String(name).replace(/^[^.]+/, '*')].map(nameOf);
  return [common_name, sans].flat().some((one) => names.includes(nameOf(one)));
};

export const PAIR_RULES: readonly Rule[] = [
  ...['domains', 'ssl', 'databases', 'backups', 'cron'].map((list) =>
    pair('owner_differs', `${list}.account_id`, WEBSITE, isOtherOwner),
  ),
  pair('owner_differs', 'email.account_id', DOMAIN, isOtherOwner),
  pair('mail_differs', 'email.address', DOMAIN, (_, { mail_enabled: isOn }) =>
    isKnown(isOn) ? !isOn : null,
  ),
  pair('issuer_differs', 'ssl.type', null, ({ type, issuer }) =>
    /let's encrypt|zerossl|^[er]\d{1,2}$/i.test(String(issuer))
      ? /^(?:custom|self_signed)$/.test(String(type))
      : null,
  ),
  pair('renewal_differs', 'ssl.auto_renew', null, ({ auto_renew: renews, ...rest }) =>
    rest.type === 'acme' && isKnown(rest.last_renewal_at) ? renews === false : null,
  ),
  pair('suspended_differs', 'domains.status', WEBSITE, (item, { status }) =>
    isKnown(status) ? (item.status === 'suspended') !== (status === 'suspended') : null,
  ),
  pair('https_differs', 'domains.ssl_status', WEBSITE, ({ domain, ssl_status: status }, site) =>
    domain === site.domain ? /^(?:active|expiring) false/.test(`${status} ${site.ssl_enabled}`) : null,
  ),
  pair('https_missing', 'domains.ssl_status', WEBSITE, ({ domain, ssl_status: status }, site) =>
    domain === site.domain && status === 'none' ? site.ssl_enabled === true : null,
  ),
  pair('certificate_differs', 'ssl.status', MAIN, ({ status }, { ssl_status: served }) =>
    /^(?:valid|expiring) (?:none|expired)$/.test(`${status} ${served}`),
  ),
  pair('website_domain', 'websites.domain', DOMAIN, leadsElsewhere('website_id')),
  pair('type_differs', 'domains.type', WEBSITE, ({ type, domain }, site) =>
    type === 'primary' ? isOther(domain, site.domain) : null,
  ),
  pair('type_reference', 'domains.type', null, ({ type, parent_id: parent, website_id: website }) =>
    type === 'primary' ? isKnown(parent) : type === 'parked' ? isKnown(website) : null,
  ),
  pair('engine_differs', 'databases.engine', null, ({ engine, port }) =>
    /^(?:3306|5432)$/.test(String(port)) &&
    /^(?:mysql|mariadb|postgresql|mongodb|redis)$/.test(String(engine))
      ? !/^3306 m[ya]|^5432 p/.test(`${port} ${engine}`)
      : null,
  ),
  pair('primary_domain', 'accounts.primary_domain', MAIN, leadsElsewhere('account_id')),
  pair('owner_role', 'accounts.owner_id', OWNER, (_, { role }) =>
    isKnown(role) ? role === 'customer' : null,
  ),
  pair('certificate_names', 'ssl.website_id', WEBSITE, (certificate, { domain, aliases }) =>
    isKnown(domain) ? ![domain, aliases].flat().some((name) => hasName(certificate, name)) : null,
  ),
  ...[TASK, target('websites', /^(?:web)?sites?$/i), target('domains', /^domains?$/i)].map((looked) =>
    pair('target', 'jobs.target_id', looked, (_, other) => other === NONE),
  ),
  pair('last_run', 'jobs.started_at', TASK, ({ started_at: start }, { last_run_at: last }) =>
    isKnown(last) ? timeOf(start) - timeOf(last) > HOUR_SECONDS * 1000 : null,
  ),
];
