import { appendFileSync } from 'node:fs';

/** Puts a figure on the page that `npm run prove` prints. In `npm test` it goes nowhere. */
export function figure(name: string, value: number | string): void {
  const file = process.env.PROVE_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ name, value })}\n`);
}
