// @ts-check
const certificateStatus = require('./certificates/certificate-status');
const readCertificate = require('./certificates/read-certificate');
const siteTypes = require('./site-types');

/**
 * A field that is read from the certificate itself.
 *
 * @param {keyof import('./certificates/read-certificate').Certificate} part
 */
const ofCertificate = (part) => ({
  column: 'w.ssl_cert',
  from: (/** @type {import('koa-panel-api').RawValue} */ pem) => readCertificate(pem)?.[part],
});

/** @type {import('koa-panel-api').Sources['ssl']} */
module.exports = {
  query: (knex) =>
    knex('web_domain as w')
      .leftJoin('sys_group as g', 'g.groupid', 'w.sys_groupid')
      .where('w.ssl', 'y')
      .whereIn('w.type', siteTypes),
  fields: {
    id: 'w.domain_id',
    common_name: {
      columns: { ordered: 'w.ssl_domain', site: 'w.domain' },
      compute: ({ ordered, site }) => ordered || site,
    },
    sans: ofCertificate('sans'),
    account_id: { column: 'g.client_id', null: 0 },
    website_id: 'w.domain_id',
    type: { column: 'w.ssl_letsencrypt', values: { y: 'acme', n: 'custom' } },
    issuer: ofCertificate('issuer'),
    status: certificateStatus('w'),
    issued_at: ofCertificate('issuedAt'),
    // One that a site signed itself may be valid for a hundred years.
    expires_at: { ...ofCertificate('expiresAt'), confirm: 'time_late' },
    auto_renew: { column: 'w.ssl_letsencrypt', true: 'y' },
    key_type: ofCertificate('keyType'),
    fingerprint_sha256: ofCertificate('fingerprint'),
  },
};
