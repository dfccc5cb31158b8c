import { createHash } from 'node:crypto';
import { recordShown } from '../../lib/audit/recordShown';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { toJson } from '../../lib/json/json';
import { type AccessPreview, previewAccess } from '../../lib/lists/previewAccess';
import { type CheckedTokenRequest, checkTokenRequest } from '../../lib/tokens/checkTokenRequest';
import { type CreatedToken, DuplicateRequest } from '../../lib/tokens/createToken';
import { tokenWarnings } from '../../lib/tokens/tokenWarnings';
import { accountWords, type Findings, findAccounts } from '../accounts';
import { lifetimeOf } from '../expiryField';
import { problemSummary } from '../field';
import { code, type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { seal, unseal } from '../sealed';
import { table } from '../table';
import type { TextKey } from '../texts';
import { requestedToken, sentAlreadyPage } from '../tokenAction';
import { factList, permissions } from '../tokenFacts';
import { adjustedForm, tokenFields } from '../tokenFields';
import {
  checkTokenForm,
  fieldProblem,
  fieldsOf,
  formOfToken,
  newTokenForm,
  type TokenForm,
  tokenChanges,
  tokenRequest,
} from '../tokenForm';
import { createdTokenPage } from './createdToken';

/** The parameter of a URL with a form that is filled in, sealed. */
const FORM = 'form';

/** The query of a URL that contains this form. */
async function sealedForm({ section }: SectionRequest, form: TokenForm): Promise<string> {
  return `${FORM}=${seal(await section.formKey.read(), FORM, fieldsOf(form))}`;
}

/**
 * The fields that the page's URL contains: sealed, or as parameters of a link. Throws SectionFailure for a form that
 * cannot be decrypted.
 */
async function fieldsInUrl({ query, section: { formKey } }: SectionRequest): Promise<URLSearchParams> {
  const sealed = query.get(FORM);
  if (sealed === null) return query;
  const read = (key: Buffer) => unseal(key, FORM, sealed);
  const fields = read(await formKey.read()) ?? read(await formKey.readAgain());
  if (!fields) throw new SectionFailure('form_stale');
  return fields;
}

/** The form of a new token, filled in by a link: with a preset or with values. */
export const newTokenPage: PageHandler = async (request) => {
  const fields = await fieldsInUrl(request);
  const form = await newTokenForm(request, fields);
  return tokenFormPage(request, (await adjustedForm(request, fields, form)) ?? form);
};

/**
 * The form of a new token, filled in with the values of this one, which may have ended: then its duplicate replaces it and
 * keeps its name.
 */
export const duplicateTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { id, name, state } = token;
  const { expiry } = await newTokenForm(request, new URLSearchParams());
  return tokenFormPage(request, {
    ...formOfToken(token),
    name: state === 'active' ? request.text('duplicate.name', { name }) : name,
    expiry: lifetimeOf(token) ?? expiry,
    duplicate_of: String(id),
  });
};

const REVIEW = 'tokens/review';

/** The form as it was filled in, with what its check found. */
async function tokenFormPage(request: SectionRequest, form: TokenForm, found: Findings = { problems: [] }) {
  const { duplicate_of: duplicateOf } = form;
  const submit = request.text('new.review');
  return {
    title: request.text('new.title'),
    ...(duplicateOf && { subtitle: request.words('duplicate.of', { token: `#${duplicateOf}` }) }),
    problem: problemSummary(request, found.problems),
    hasNotices: true,
    content: await request.form(
      REVIEW,
      html`<button hidden>${submit}</button>
${await tokenFields(request, form, { ...found, action: REVIEW })}`,
      {
        fields: [['duplicate_of', duplicateOf]],
        submit,
        more: request.link('tokens', request.text('form.cancel')),
        keepsValues: true,
      },
    ),
  };
}

/** Goes on with the submitted form: to its review, or back to it if another of its buttons was pressed. */
export const sendTokenForm: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const form = await newTokenForm(request, fields);
  const adjusted = await adjustedForm(request, fields, form);
  const page = adjusted ? 'tokens/new' : REVIEW;
  return { goTo: `${page}?${await sealedForm(request, adjusted ?? form)}` };
};

const FORM_ID = 'form_id';

/** Shows a token before it is created, with how much it will be able to read. */
export const reviewTokenPage: PageHandler = async (request) => {
  const form = await newTokenForm(request, await fieldsInUrl(request));
  const checked = await checkTokenForm(request, form);
  if (checked.problems.length > 0) return tokenFormPage(request, form, checked);
  const now = Math.floor(Date.now() / 1000);
  const unbound = checkTokenRequest(tokenRequest(checked.form), await request.tokenRules(), now);
  const binding = await request.bound(unbound).catch((error) => {
    if (error instanceof InvalidInput) return error;
    throw error;
  });
  if (binding instanceof InvalidInput)
    return tokenFormPage(request, form, { problems: [fieldProblem(request, form, binding)] });
  const token = { ...unbound, ...binding };
  const { duplicate_of: duplicateOf } = form;
  const change = `tokens/new?${await sealedForm(request, checked.form)}`;
  const sealed = request.query.get(FORM);
  // A token that is created with this key is not created again when the administrator goes back to this page. A link may
  // be opened again.
  const formId = sealed === null ? '' : createHash('sha256').update(sealed).digest('base64url');
  return {
    title: request.text('review.title'),
    hasNotices: true,
    content: html`${warnings(request, token, now)}
${factList([
  [request.text('token.name'), token.name],
  [
    request.text('review.duplicate_of'),
    duplicateOf ? request.link(`tokens/${duplicateOf}`, `#${duplicateOf}`) : null,
  ],
  ...permissions(request, token, await shownAccount(request, token)),
  [request.text('token.expires'), request.relativeAndExact(token.expiresAt)],
])}
${await access(request, token)}
${await request.form('tokens', null, {
  fields: [...fieldsOf(checked.form), [FORM_ID, formId]],
  submit: request.text('review.create'),
  more: request.link(change, request.text('form.change')),
})}`,
  };
};

const NEW = { state: 'active', lastUsedAt: null, rotatedAt: null } as const;

/** The warnings that its page and the list will show, as sentences. That it expires soon was just chosen. */
function warnings(request: SectionRequest, token: CheckedTokenRequest, now: number): Html | null {
  const found = tokenWarnings({ ...token, ...NEW, createdAt: now, readAt: now });
  const sentences = (['wildcard', 'everlasting'] as const)
    .filter((warning) => found.includes(warning))
    .map((warning) => html`<li>${request.text(`review.${warning}`)}</li>`);
  return sentences.length === 0 ? null : html`<div class="notice warn"><ul>${sentences}</ul></div>`;
}

/** The account with its name; undefined if it is all or several, or if there is no list to find it in. */
async function shownAccount(
  request: SectionRequest,
  { accounts: [bound, ...others], owner }: CheckedTokenRequest,
) {
  if (!bound || others.length > 0 || owner) return undefined;
  const found = await findAccounts(request.installation, bound.id, 'username');
  const account = found?.find(({ id }) => id === bound.id);
  return account && accountWords(account);
}

/** How much the token can read, and the first rows. The audit trail records that they are shown. */
async function access(request: SectionRequest, token: CheckedTokenRequest): Promise<Html> {
  const previews = await previewAccess(request.installation, token);
  const withRows = previews.filter(({ first }) => first.length > 0);
  const lists = withRows.map(({ operation }) => operation.name);
  const details = { lists, account_id: token.accountId };
  if (lists.length > 0) await recordShown(request.installation, request.author, details);
  const most = Math.max(1, ...previews.map(({ items }) => items ?? 0));
  const titleOf = ({ operation: { name } }: AccessPreview) =>
    request.text(`endpoint.${name}` as TextKey & `endpoint.${string}`);
  const countOf = ({ items, state }: AccessPreview) => {
    if (state !== 'counted' || items === null)
      return request.text(`review.${state === 'counted' ? 'failed' : state}`);
    return html`<meter min="0" max="${most}" value="${items}" aria-hidden="true"></meter> ${request.number(items)}`;
  };
  const columns = [
    [request.text('usage.endpoint'), titleOf, 'heading'],
    [request.text('review.rows'), countOf],
  ] as const;
  return html`<h2>${request.text('review.counts')}</h2>
${table<AccessPreview>(previews, columns, { isStacked: false })}
${lists.length > 0 && html`<h2>${request.text('review.first')}</h2>`}
${withRows.map((preview) => html`<details><summary>${titleOf(preview)}</summary>${firstRows(request, preview)}</details>`)}`;
}

/** The first rows of a list, one beside the other, or below it on a narrow screen, without fields that none has. */
function firstRows(request: SectionRequest, { first }: AccessPreview): Html {
  const names = Object.keys(first[0] ?? {}).filter((name) => first.some((row) => row[name] !== null));
  return table(names, [
    [request.text('review.field'), code, 'heading'],
    ...first.map((row, index) => [String(index + 1), (name: string) => shownValue(row[name])] as const),
  ]);
}

const LONGEST_VALUE = 200;

function shownValue(value: unknown): string {
  if (value === null) return '–';
  const text = typeof value === 'string' ? value : toJson(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** Creates the token and shows it in the answer to this form only. */
export const createToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const form = await newTokenForm(request, fields);
  try {
    const key = fields.get(FORM_ID) || idempotencyKey;
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
  if (form.duplicate_of === '') return tokens.create({ ...tokenRequest(form), idempotencyKey }, author);
  const wanted = { ...tokenChanges(form), idempotencyKey };
  const created = await tokens.duplicate(Number(form.duplicate_of), wanted, author);
  if (!created) throw new SectionFailure('not_found');
  return created;
}
