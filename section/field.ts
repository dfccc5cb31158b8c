import { InvalidInput } from '../lib/errors/InvalidInput';
import { DuplicateRequest } from '../lib/tokens/TokenRecord';
import { type Html, html, listed, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/**
 * Why values of a form were refused, each with the id of its field; null if it concerns no field. `missing` is the word for
 * what was not entered.
 */
export type FieldProblems = readonly {
  readonly field: string | null;
  readonly sentence: string;
  readonly missing?: string;
}[];

/**
 * The attributes that tie the field of this id to its problem and to the hint of that id, and the problem, if any. The
 * field of the first problem has the focus.
 */
export function problemAt(problems: FieldProblems, id: string, hint = `${id}-hint`) {
  const found = problems.find(({ field }) => field === id);
  if (!found) return { attributes: html` aria-describedby="${hint}"`, sentence: null };
  return {
    attributes: html` aria-invalid="true" aria-describedby="${id}-wrong ${hint}"${found === problems[0] && html` autofocus`}`,
    sentence: html`<span class="wrong" id="${id}-wrong">${found.sentence}</span>`,
  };
}

interface FieldParts {
  /** Default: the text `form.` and the id. */
  readonly label?: string;
  /** Default: the text of the label with `.hint`. */
  readonly hint?: Part;
  readonly problems?: FieldProblems;
  /** Default: the id. */
  readonly name?: string;
  readonly attributes: Html;
  /** The text of a field that may have several lines. */
  readonly text?: string;
  /** The unit of a number, which stands in the field. */
  readonly unit?: string;
  readonly beside?: Part;
  readonly more?: Part;
}

export function field(request: SectionRequest, id: string, parts: FieldParts): Html {
  const { problems = [], name = id, attributes, text, unit, beside, more } = parts;
  const label = parts.label ?? request.text(`form.${id}` as 'form.name');
  const hint = parts.hint ?? request.words(`form.${id}.hint` as 'form.name.hint');
  const at = problemAt(problems, id);
  const its = html` id="${id}" name="${name}"${at.attributes}${attributes}`;
  const input = text === undefined ? html`<input${its}>` : html`<textarea${its}>${text}</textarea>`;
  const shown = unit === undefined ? input : html`<span class="unit">${input}<span>${unit}</span></span>`;
  return html`<div class="field"><label for="${id}">${label}</label>
${shown}${at.sentence}${beside}
<small id="${id}-hint">${hint}</small>${more}</div>`;
}

export function radio(name: string, value: string | number, chosen: string | null, words: Part): Html {
  return html`<label><input type="radio" name="${name}" value="${value}"${String(value) === chosen && html` checked`}> <span>${words}</span></label>
`;
}

/** What is missing, and what must be corrected, with a link to each field. */
export function problemSummary(request: SectionRequest, problems: FieldProblems): Html | undefined {
  const link = (field: string | null, words: string) =>
    field === null ? html`${words}` : html`<a href="#${field}">${words}</a>`;
  const names = problems.flatMap(({ field, missing }) => (missing ? [link(field, missing)] : []));
  const missing = names.length > 0 ? request.words('form.missing', { names: listed(names) }) : undefined;
  const wrong = problems.flatMap((one) => (one.missing ? [] : [link(one.field, one.sentence)]));
  if (wrong.length === 0) return missing;
  const above = missing && html`<p>${missing}</p>`;
  if (wrong.length === 1) return html`${above}${wrong}`;
  return html`${above}${request.text('form.problem', { count: wrong.length })}
<ul>${wrong.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** Returns a handler of failures that answers a wrong value. Others go on, such as that a form was sent already. */
export function ifWrong<T>(answer: (error: InvalidInput) => T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof InvalidInput) || error instanceof DuplicateRequest) throw error;
    return answer(error);
  };
}

/** A whole number that was typed; NaN for anything else. */
export function wholeNumber(text: string | null): number {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}
