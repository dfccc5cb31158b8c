// @ts-check
const readCertificate = require('./read-certificate');

/**
 * The state of a site's certificate, which is `pending` until it is created. ISPConfig often keeps no copy of one from
 * Let's Encrypt: it is `unknown`, because its end is not known.
 *
 * @template {readonly { when: Readonly<Record<string, string | readonly (string | null)[]>>, is: 'none' }[]} First
 * @param {'w' | 'p'} site
 * @param {First} first
 */
module.exports = (site, ...first) => ({
  cases: [
    ...first,
    { when: { [`${site}.ssl_action`]: ['create', 'save'] }, is: /** @type {const} */ ('pending') },
    { when: { [`${site}.ssl_cert`]: null }, is: /** @type {const} */ ('unknown') },
  ],
  otherwise: {
    until: `${site}.ssl_cert`,
    from: (/** @type {import('koa-panel-api').RawValue} */ pem) => readCertificate(pem)?.expiresAt,
  },
});
