import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../lib/errors/printable';
import { causeFacts } from '../lib/log/PanelLog';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { SectionRequest } from './SectionRequest';

/** The pauses before the revocation is tried again, in milliseconds: ten minutes in all. */
const PAUSES_MS = [1000, 4000, 15_000, 40_000, 120_000, 420_000];

/**
 * Returns the function that revokes a new token that was not shown. If the database fails, it tries again for ten
 * minutes, unless the process ends before. It never rejects: the log says which token is still valid.
 */
export function unseenRevocation({ author, installation, actor }: SectionRequest, { id }: TokenRecord) {
  const { tokens, log } = installation;
  const facts = { actor: printable(actor), token_id: id };
  return async () => {
    for (const pauseMs of [0, ...PAUSES_MS]) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
      try {
        await tokens.revoke(id, author);
        if (pauseMs > 0) log.info('panel-api unseen token revoked', facts);
        return;
      } catch (error) {
        if (pauseMs === 0) log.warn('panel-api unseen token not revoked', { ...facts, ...causeFacts(error) });
      }
    }
  };
}
