import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { lifetimeOf } from '../expiryField';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { formOfToken, newTokenForm, type TokenForm } from '../tokenForm';
import { tokenFormPage } from './newToken';
import { requestedToken } from './token';

/** The form of a new token, filled in with the values of this one, which may have ended. */
export const duplicateTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  return tokenFormPage(request, await duplicateOf(request, token));
};

/** An ended token is replaced by its duplicate, so the name stays; an active one gets a namesake with a suffix. */
async function duplicateOf(request: SectionRequest, token: TokenRecord): Promise<TokenForm> {
  const { id, name, state } = token;
  const { expiry } = await newTokenForm(request, new URLSearchParams());
  return {
    ...formOfToken(token),
    name: state === 'active' ? request.text('duplicate.name', { name }) : name,
    expiry: lifetimeOf(token) ?? expiry,
    duplicateOf: String(id),
  };
}
