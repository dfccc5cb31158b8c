import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/** Why values of a form were refused, each with the id of its field; null if it concerns no field. */
export type FieldProblems = readonly { readonly field: string | null; readonly sentence: string }[];

interface AtField {
  /** The attributes that tie it to its hint and to its problem. */
  readonly attributes: Html;
  /** The problem, to show below it. */
  readonly sentence: Html | null;
}

/** What the field of this id has beside its value. `hint` is the id of its hint. */
export function problemAt(problems: FieldProblems, id: string, hint = `${id}-hint`): AtField {
  const found = problems.find(({ field }) => field === id);
  if (!found) return { attributes: html` aria-describedby="${hint}"`, sentence: null };
  return {
    attributes: html` aria-invalid="true" aria-describedby="${id}-wrong ${hint}"`,
    sentence: html`<span class="wrong" id="${id}-wrong">${found.sentence}</span>`,
  };
}

interface FieldParts {
  readonly label: string;
  readonly hint: Part;
  readonly problems?: FieldProblems;
  /** Default: the id. */
  readonly name?: string;
  readonly attributes: Html;
  /** The text of a field that may have several lines. */
  readonly text?: string;
  readonly beside?: Part;
  /** What follows the hint. */
  readonly more?: Part;
}

/** A field with its label above it, and its problem and its hint below it. */
export function field(
  id: string,
  { label, hint, problems = [], name = id, attributes, text, beside, more }: FieldParts,
): Html {
  const at = problemAt(problems, id);
  const its = html` id="${id}" name="${name}"${at.attributes}${attributes}`;
  return html`<div class="field"><label for="${id}">${label}</label>
${text === undefined ? html`<input${its}>` : html`<textarea${its}>${text}</textarea>`}${at.sentence}${beside}
<small id="${id}-hint">${hint}</small>${more}</div>
`;
}

export function radio(name: string, value: string | number, chosen: string | null, words: Part): Html {
  return html`<label><input type="radio" name="${name}" value="${value}"${String(value) === chosen && html` checked`}> <span>${words}</span></label>
`;
}

/** All problems, with links to their fields, for the top of the page; undefined if there are none. */
export function problemSummary(request: SectionRequest, problems: FieldProblems): Html | undefined {
  const sentences = problems.map(({ field, sentence }) =>
    field === null ? html`${sentence}` : html`<a href="#${field}">${sentence}</a>`,
  );
  if (sentences.length < 2) return sentences[0];
  return html`${request.text('form.problem', { count: sentences.length })}
<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** A whole number that was typed; NaN for anything else. */
export function wholeNumber(text: string | null): number {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}
