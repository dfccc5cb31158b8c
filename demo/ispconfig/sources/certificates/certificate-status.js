// @ts-check
const readCertificate = require('./read-certificate');

/**
 * The state of a site's certificate, which is `pending` until it is created. ISPConfig often keeps no copy of one from
 * Let's Encrypt, but turns SSL off if it receives none.
 *
 * @template {'valid' | 'active' | 'none'} Word
 * @param {'w' | 'p'} site
 * @param {Word} valid
 * @param {readonly { when: Readonly<Record<string, string | readonly (string | null)[]>>, is: Word }[]} [first]
 */
module.exports = (site, valid, first = []) => ({
  cases: [
    ...first,
    { when: { [`${site}.ssl_action`]: ['create', 'save'] }, is: /** @type {const} */ ('pending') },
    { when: { [`${site}.ssl_letsencrypt`]: 'y', [`${site}.ssl_cert`]: ['', null] }, is: valid },
    { when: { [`${site}.ssl_cert`]: null }, is: /** @type {const} */ ('unknown') },
  ],
  otherwise: {
    until: `${site}.ssl_cert`,
    from: (/** @type {import('koa-panel-api').RawValue} */ pem) => readCertificate(pem)?.expiresAt,
  },
});
