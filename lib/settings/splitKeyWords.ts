/**
 * The words of an identifier in lower case, however they are joined: `smtpPassword`, `SMTP_PASSWORD`,
 * `smtp.password` and `smtp-password2` all give smtp and password. Digits only separate words.
 */
export function splitKeyWords(key: string): string[] {
  return key
    .replace(/OAuth/g, 'Oauth')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}
