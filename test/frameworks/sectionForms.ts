/** The panels take this for the session of an administrator. */
export const ADMIN = { Cookie: 'admin=Ada' };

export interface Form {
  readonly path: string;
  readonly fields: [name: string, value: string][];
}

/** The form of a page that sends something, with its hidden fields. */
function postForm(page: string, path: string): Form {
  const [form = '', attributes = ''] =
    /<form([^>]*method="post"[^>]*)>[\s\S]*?<\/form>/.exec(mainOf(page)) ?? [];
  const value = (text: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]): [string, string] => [
    value(input, 'name'),
    value(input, 'value'),
  ]);
  return { path: below(path, value(attributes, 'action')), fields: hidden };
}

/** Opens a page of the section as an administrator. Returns its form. */
export async function openForm(url: string, path: string): Promise<Form> {
  const page = await fetch(url + path, { headers: ADMIN });
  return postForm(await page.text(), new URL(page.url).pathname);
}

/** Sends a form as an administrator. */
export function sendForm(url: string, { path, fields }: Form, origin = url): Promise<Response> {
  const body = new URLSearchParams(fields);
  const headers = { ...ADMIN, Origin: origin };
  return fetch(url + path, { method: 'POST', body, headers, redirect: 'manual' });
}

/** The form of a new token, filled in. */
export async function newTokenForm(url: string): Promise<Form> {
  const form = await openForm(url, '/admin/api/tokens/new');
  form.fields.push(['name', 'Billing'], ['scope', 'domains.read'], ['expiry', '90']);
  return form;
}

/** Creates a token with the forms of the section. */
export async function createByForms(url: string): Promise<string> {
  const filled = await newTokenForm(url);
  const summary = await (await sendForm(url, filled)).text();
  const created = await (await sendForm(url, postForm(summary, filled.path))).text();
  return /pnl_[\w-]{20,}/.exec(created)?.[0] ?? '';
}

/** The path to which a relative link of a page leads. */
export function below(path: string, link: string): string {
  const { pathname, search } = new URL(link.replaceAll('&amp;', '&'), `http://panel${path}`);
  return pathname + search;
}

function mainOf(page: string): string {
  return page.slice(page.indexOf('<main'));
}
