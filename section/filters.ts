import { Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/** The lists that are read in pages, with filters in the URL. */
type List = 'tokens' | 'audit';

/** What a list is filtered by: the attributes of an input, or the values to choose from with their words. */
type Field = Html | readonly Choice[];

type Choice = readonly [value: string, words: string];

/** The form of a list's filters, which a phone folds to a button unless one of them is wrong. */
export function filterForm(
  request: SectionRequest,
  list: List,
  fields: Readonly<Record<string, Field>>,
  below: Part,
  isWrong = false,
): Html {
  const input = (name: string, field: Field) => {
    const given = request.query.get(name) ?? '';
    const its = html`id="${name}" name="${name}"`;
    if (field instanceof Html) return html`<input ${its} value="${given}"${field}>`;
    const option = ([value, words]: Choice) =>
      html`<option value="${value}"${value === given && html` selected`}>${words}</option>`;
    return html`<select ${its}>${field.map(option)}</select>`;
  };
  const labelled = ([name, field]: [string, Field]) =>
    html`<span class="by-${name}"><label for="${name}">${labelOf(request, name)}</label> ${input(name, field)}</span>`;
  const set = Object.keys(fields).filter((name) => name !== 'order' && request.query.get(name)).length;
  const words = set > 0 ? request.text('filter.open', { count: set }) : request.text('filter.list');
  return html`${!isWrong && html`<button type="button" class="folded" popovertarget="filters">${words}</button>`}
<form method="get" action="${request.to(list)}" role="search" class="filters" id="filters"${!isWrong && html` popover`}>
${Object.entries(fields).map(labelled)}<button>${request.text(`${list}.show`)}</button>
${below}</form>`;
}

function labelOf(request: SectionRequest, name: string): string {
  return request.text(`by.${name}` as 'by.scope');
}

/** A filter that is set: its name and its text in the URL, and its value in words. */
export interface SetFilter {
  readonly name: string;
  readonly text: string;
  readonly value: string;
}

export function filterWords(request: SectionRequest, { name, value }: SetFilter): string {
  return request.text('filter.value', { filter: labelOf(request, name), value });
}

/** The filters that are set, each with the link that removes it. `kept` are parameters that are no filter. */
export function setFilterLinks(
  request: SectionRequest,
  list: List,
  set: readonly SetFilter[],
  kept: Readonly<Record<string, string>> = {},
): Html | null {
  if (set.length === 0) return null;
  const removal = (one: SetFilter) => {
    const others = set.filter((other) => other !== one).map(({ name, text }) => [name, text]);
    const path = request.to(list, { ...kept, ...Object.fromEntries(others) });
    const filter = filterWords(request, one);
    return html`<li><a href="${path}" aria-label="${request.text('filter.remove', { filter })}">${filter}</a></li>`;
  };
  return html`<ul class="set-filters" aria-label="${request.text('filter.list')}">
${set.map(removal)}${set.length > 1 && html`<li><a class="all" href="${request.to(list, kept)}">${request.text('filter.clear')}</a></li>`}</ul>`;
}

/** The links to the first page of a list and to the next one, whose position is in a parameter; null if there is none. */
export function pageLinks(
  request: SectionRequest,
  list: List,
  query: Readonly<Record<string, string>>,
  [name, next]: readonly [name: string, next: string | null],
): Html | null {
  const isLater = request.query.has(name);
  if (!isLater && next === null) return null;
  return html`<p class="pages">${isLater && html`<a href="${request.to(list, query)}">${request.text(`${list}.newest`)}</a> `}${next !== null && html`<a rel="next" href="${request.to(list, { ...query, [name]: next })}">${request.text(`${list}.older`)}</a>`}</p>`;
}
