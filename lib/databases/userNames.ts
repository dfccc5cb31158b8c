/** The names of database accounts, each once, without the hosts that they may come from: `'shop'@'%'` is shop. */
export function userNames(accounts: unknown): readonly string[] {
  const written = Array.isArray(accounts) ? accounts.filter((account) => typeof account === 'string') : [];
  // Objects may hold passwords beside the names.
  if (written.some((account) => account.includes('{'))) return [];
  return [...new Set(written.map(nameOf))].filter((name) => name !== '');
}

function nameOf(account: string): string {
  const quoted = /^(['"`])(.*?)\1(?:@|$)/.exec(account)?.[2];
  if (quoted !== undefined) return quoted;
  const at = account.lastIndexOf('@');
  return at < 0 ? account : account.slice(0, at);
}
