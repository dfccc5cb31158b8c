import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { SectionFailure } from '../SectionFailure';
import type { Visit } from '../Visit';

/** The token that the page's path names. Throws SectionFailure where there is none. */
export async function requestedToken({ path, installation }: Visit): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await installation.tokens.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}
