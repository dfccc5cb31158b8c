/** The names of the indexes by which the pages of tokens are read. */
export function tokenIndex(tokens: string, order: 'expiry' | 'revoked'): string {
  return `${tokens}_${order}_index`;
}
