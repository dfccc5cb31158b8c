// @ts-check
const certificateStatus = require('./certificates/certificate-status');
const siteTypes = require('./site-types');

const account_id = { column: 'g.client_id', null: 0 };
const dns = {
  dns_managed: { column: 'z.active', true: 'Y' },
  dnssec_enabled: { column: 'z.dnssec_wanted', true: 'Y' },
};

/** @satisfies {import('koa-panel-api').SourcePart<'domains'>['fields']} */
const webDomain = {
  id: 'w.domain_id',
  domain: 'w.domain',
  type: {
    column: 'w.type',
    values: {
      vhost: 'primary',
      vhostsubdomain: 'subdomain',
      subdomain: 'subdomain',
      vhostalias: 'alias',
      alias: 'alias',
    },
  },
  status: { column: 'w.active', values: { y: 'active', n: 'suspended' } },
  account_id,
  mail_enabled: { column: 'm.active', true: 'y' },
  ...dns,
  created_at: { column: 'w.added_date', time: 'date' },
};

/**
 * A web domain with its owner, and the mail and DNS records of the same name. A zone's name ends with a dot.
 *
 * @param {import('knex').Knex} knex
 */
function webDomains(knex) {
  return knex('web_domain as w')
    .leftJoin('sys_group as g', 'g.groupid', 'w.sys_groupid')
    .leftJoin('mail_domain as m', (join) =>
      join.on('m.domain', 'w.domain').on('m.sys_groupid', 'w.sys_groupid'),
    )
    .leftJoin('dns_soa as z', 'z.origin', knex.raw("concat(w.domain, '.')"));
}

/**
 * Web domains, outer-joined with the name and the owner of the mail domain. ISPConfig's only index with their names
 * begins with server and address, of which there are few: a query for all of them finds a name at once.
 *
 * @param {import('knex').Knex} knex
 */
function webDomainsOfMail(knex) {
  return knex(knex('web_domain').distinct('server_id', 'ip_address').as('a')).join(
    'web_domain as w',
    (join) =>
      join
        .on('w.server_id', 'a.server_id')
        .on('w.ip_address', '<=>', 'a.ip_address')
        .on('w.domain', 'm.domain')
        .on('w.sys_groupid', 'g.groupid'),
  );
}

/** @type {import('koa-panel-api').Sources['domains']} */
module.exports = [
  // Part 0: domains with a website of their own.
  {
    query: (knex) => webDomains(knex).whereIn('w.type', siteTypes),
    fields: {
      ...webDomain,
      ssl_status: certificateStatus('w', { when: { 'w.ssl': 'n' }, is: 'none' }),
      parent_id: { column: 'w.parent_domain_id', null: 0, part: 0 },
      website_id: 'w.domain_id',
    },
  },
  // Part 1: aliases and subdomains, which lead to the website of a domain in part 0 and share its certificate.
  {
    query: (knex) =>
      webDomains(knex)
        .leftJoin('web_domain as p', 'p.domain_id', 'w.parent_domain_id')
        .whereIn('w.type', ['alias', 'subdomain']),
    fields: {
      ...webDomain,
      ssl_status: certificateStatus(
        'p',
        { when: { 'p.ssl': ['n', null] }, is: 'none' },
        { when: { 'w.ssl_letsencrypt_exclude': 'y' }, is: 'none' },
      ),
      parent_id: { column: 'w.parent_domain_id', null: 0, part: 0 },
      website_id: { column: 'w.parent_domain_id', null: 0 },
    },
  },
  // Part 2: domains that the same owner uses only for mail.
  {
    query: (knex) =>
      knex('mail_domain as m')
        .leftJoin('sys_group as g', 'g.groupid', 'm.sys_groupid')
        .leftJoin('dns_soa as z', 'z.origin', knex.raw("concat(m.domain, '.')"))
        .whereNotExists(webDomainsOfMail(knex)),
    fields: {
      id: 'm.domain_id',
      domain: 'm.domain',
      type: { value: 'primary' },
      ssl_status: { value: 'none' },
      status: { column: 'm.active', values: { y: 'active', n: 'suspended' } },
      account_id,
      mail_enabled: { column: 'm.active', true: 'y' },
      ...dns,
    },
  },
];
