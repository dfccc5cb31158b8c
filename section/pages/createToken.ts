import { InvalidInput } from '../../lib/errors/InvalidInput';
import { type CreatedToken, DuplicateRequest } from '../../lib/tokens/createToken';
import { fieldProblem } from '../checkTokenForm';
import type { PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { newTokenForm, type TokenForm, tokenChanges, tokenRequest } from '../tokenForm';
import { createdTokenPage, sentAlreadyPage } from './createdToken';
import { tokenFormPage } from './newToken';
import { FORM_ID } from './reviewToken';

/** Creates the token and shows it in the answer to this form only. */
export const createToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const form = await newTokenForm(request, fields);
  const key = fields.get(FORM_ID) || idempotencyKey;
  try {
    return await createdTokenPage(request, await create(request, form, key));
  } catch (error) {
    if (error instanceof DuplicateRequest) return sentAlreadyPage(request, error);
    if (!(error instanceof InvalidInput)) throw error;
    return tokenFormPage(request, form, { problems: [fieldProblem(request, form, error)] });
  }
};

async function create(
  { installation: { tokens }, author }: SectionRequest,
  form: TokenForm,
  idempotencyKey: string,
): Promise<CreatedToken> {
  if (form.duplicateOf === '') return tokens.create({ ...tokenRequest(form), idempotencyKey }, author);
  const wanted = { ...tokenChanges(form), idempotencyKey };
  const created = await tokens.duplicate(Number(form.duplicateOf), wanted, author);
  if (!created) throw new SectionFailure('not_found');
  return created;
}
