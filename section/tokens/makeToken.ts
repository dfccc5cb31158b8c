import { InvalidInput } from '../../lib/errors/InvalidInput';
import { AlreadyMade } from '../../lib/tokens/AlreadyMade';
import type { PageHandler } from '../Page';
import { madePage } from './madePage';
import { tokenFormPage } from './newTokenPage';
import { sentAlreadyPage } from './sentAlreadyPage';
import { readTokenForm, tokenRequest } from './TokenForm';

/** Makes the token and shows it, in the answer to this very form and nowhere else. */
export const makeToken: PageHandler = async (visit) => {
  const { fields, requestId } = await visit.sent();
  const form = readTokenForm(fields, 'none');
  try {
    const made = await visit.installation.tokens.create({ ...tokenRequest(form), requestId }, visit.author);
    return madePage(visit, made);
  } catch (error) {
    if (error instanceof AlreadyMade) return sentAlreadyPage(visit, error);
    if (error instanceof InvalidInput) return tokenFormPage(visit, form, error);
    throw error;
  }
};
