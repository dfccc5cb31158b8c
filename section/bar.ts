import { type Html, html } from './html';

/**
 * A bar whose length is the share of `value` in `most`; the part of `errors` has their colour. It carries no style, which
 * the pages' policy would refuse. The number stands beside it for those who do not see it.
 */
export function bar(value: number, most: number, errors = 0): Html {
  const share = (count: number) => Math.round((count / Math.max(1, most)) * 1000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share(value)}" height="1"/>${errors > 0 && html`<rect class="errors" width="${share(errors)}" height="1"/>`}</svg>`;
}
