import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/** Why values of a form were refused, each with the id of its field; null if it concerns no field. */
export type FieldProblems = readonly { readonly field: string | null; readonly sentence: string }[];

/** What a field has beside its value. */
export interface AtField {
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

/** All problems, with links to their fields, for the top of the page; undefined if there are none. */
export function problemSummary(request: SectionRequest, problems: FieldProblems): Html | undefined {
  const sentences = problems.map(({ field, sentence }) =>
    field === null ? html`${sentence}` : html`<a href="#${field}">${sentence}</a>`,
  );
  if (sentences.length < 2) return sentences[0];
  return html`${request.text('form.problem', { count: sentences.length })}
<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}
