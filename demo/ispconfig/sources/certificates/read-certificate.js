// @ts-check
const { X509Certificate } = require('node:crypto');
const rememberLast = require('./remember-last');

/**
 * What the API shows of a certificate; times are RFC 3339.
 *
 * @typedef {object} Certificate
 * @property {string | null} issuer
 * @property {string[]} sans
 * @property {string} issuedAt
 * @property {string} expiresAt
 * @property {string} keyType
 * @property {string} fingerprint
 */

/**
 * Reads the first certificate in a PEM text. Returns null if there is none or it is unreadable.
 *
 * @param {import('koa-panel-api').RawValue} [pem]
 * @returns {Certificate | null}
 */
function readCertificate(pem) {
  if (!pem) return null;
  try {
    const certificate = new X509Certificate(String(pem));
    return {
      issuer: commonName(certificate.issuer),
      sans: dnsNames(certificate.subjectAltName),
      issuedAt: new Date(certificate.validFrom).toISOString(),
      expiresAt: new Date(certificate.validTo).toISOString(),
      keyType: keyType(certificate.publicKey),
      fingerprint: certificate.fingerprint256,
    };
  } catch {
    return null;
  }
}

/**
 * Returns the common name in a name with one part per line.
 *
 * @param {string} distinguishedName
 */
function commonName(distinguishedName) {
  return /^CN=(.+)$/m.exec(distinguishedName)?.[1] ?? null;
}

/** @param {string | undefined} names */
function dnsNames(names = '') {
  return names.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
}

/** @param {import('node:crypto').KeyObject} key */
function keyType({ asymmetricKeyType, asymmetricKeyDetails: { modulusLength, namedCurve } = {} }) {
  return [asymmetricKeyType?.toUpperCase(), modulusLength ?? namedCurve].filter(Boolean).join(' ');
}

// The fields of a row are computed one after another, all from the same certificate.
module.exports = rememberLast(readCertificate);
