const REALM = 'panel-api';

/** The headers of an answer that challenges the client for a token (RFC 6750, section 3). */
export function challenge(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const quoted = Object.entries({ realm: REALM, ...attributes }).map(([name, value]) => `${name}="${value}"`);
  return { 'WWW-Authenticate': `Bearer ${quoted.join(', ')}` };
}
