// @ts-check
const readCertificate = require('./read-certificate');

const expiringMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The state of a site's certificate. What waits to be made is `pending`. ISPConfig often keeps no copy of one from
 * Let's Encrypt, yet switches SSL off where it gets none; of any other that cannot be read nothing is known.
 *
 * @param {Readonly<Record<string, import('koa-panel-api').RawValue>>} columns
 */
module.exports = function certificateStatus({ action, letsEncrypt, pem }) {
  if (action === 'create' || action === 'save') return 'pending';
  const certificate = readCertificate(pem);
  if (!certificate) return letsEncrypt === 'y' ? 'valid' : 'unknown';
  const left = Date.parse(certificate.expiresAt) - Date.now();
  if (left <= 0) return 'expired';
  return left < expiringMs ? 'expiring' : 'valid';
};
