/** What stands where a secret stood. No rule may take it for a secret that could be masked further. */
export const MASK = '***';
