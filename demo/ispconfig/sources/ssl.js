// @ts-check
const certificateStatus = require('./certificates/certificate-status');
const readCertificate = require('./certificates/read-certificate');
const rememberLast = require('./certificates/remember-last');
const siteTypes = require('./site-types');

/** @returns {import('koa-panel-api').Sources['ssl']} */
module.exports = function createSsl() {
  // The fields of one row are made one after another, all of the same certificate.
  const read = rememberLast(readCertificate);

  /** @param {keyof import('./certificates/read-certificate').Certificate} part */
  const ofCertificate = (part) => ({
    column: 'w.ssl_cert',
    from: (/** @type {unknown} */ pem) => read(pem)?.[part] ?? null,
  });

  return {
    query: (knex) =>
      knex('web_domain as w')
        .leftJoin('sys_group as g', 'g.groupid', 'w.sys_groupid')
        .where('w.ssl', 'y')
        .whereIn('w.type', siteTypes),
    fields: {
      id: 'w.domain_id',
      common_name: {
        columns: { ordered: 'w.ssl_domain', site: 'w.domain' },
        from: ({ ordered, site }) => ordered || site,
      },
      sans: ofCertificate('sans'),
      account_id: { column: 'g.client_id', null: 0 },
      website_id: 'w.domain_id',
      type: { column: 'w.ssl_letsencrypt', values: { y: 'acme', n: 'custom' } },
      issuer: ofCertificate('issuer'),
      status: {
        columns: { action: 'w.ssl_action', letsEncrypt: 'w.ssl_letsencrypt', pem: 'w.ssl_cert' },
        from: (row) => certificateStatus(row, read),
      },
      issued_at: ofCertificate('issuedAt'),
      expires_at: ofCertificate('expiresAt'),
      auto_renew: { column: 'w.ssl_letsencrypt', true: 'y' },
      key_type: ofCertificate('keyType'),
      fingerprint_sha256: ofCertificate('fingerprint'),
    },
  };
};
