// @ts-check
const readCertificate = require('./read-certificate');

const expiringMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The state of a site's certificate. It is `pending` until it is created. ISPConfig often keeps no copy of a
 * certificate from Let's Encrypt, but turns SSL off if it receives none: one that is unreadable is `valid`. Any other
 * unreadable certificate is `unknown`.
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
