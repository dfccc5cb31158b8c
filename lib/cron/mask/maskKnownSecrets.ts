import { MASK } from './mask';

const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const BEARER = /\b(bearer\s+)[\w.~+/=-]+/gi;
const AWS_KEY_ID = /\b(?:AKIA|ASIA|AIDA|AROA)[A-Z0-9]{16}\b/g;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{5,}\.[\w.-]+/g;
/** Tokens that carry their issuer's mark. */
const MARKED_TOKEN =
  /(?<![\w-])(?:gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|[rs]k_(?:live|test)_|sk-|whsec_|SG\.|AIza|npm_|hvs\.|dop_v1_)[\w.-]{16,}/g;

/** The secrets masked that show by their own form, wherever they stand. */
export function maskKnownSecrets(text: string): string {
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(BEARER, `$1${MASK}`)
    .replace(AWS_KEY_ID, MASK)
    .replace(JSON_WEB_TOKEN, MASK)
    .replace(MARKED_TOKEN, MASK);
}
