import Koa from 'koa';
import { createApiSection, type PanelApiOptions } from '../../index';
import type { ApiSectionOptions } from '../../section/ApiSectionOptions';
import { type Engine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createPanelTables, insertPanelRows } from '../fixture/panelTables';

/** The path at which the section is mounted. */
export const SECTION = '/admin/api';

/** A page as the section answered it. */
export interface ShownPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A panel whose administrators are whoever sends the cookie `admin` with their name, with the section mounted. */
export interface SectionPanel {
  readonly panel: TestPanel;
  readonly database: TestDatabase;
  /** Gets a page of the section, by its path below it. */
  get(path: string, init?: Visitor): Promise<ShownPage>;
  /** Fills in the form of a page that leads to `action`, and sends it as a browser would. */
  send(page: string, action: string, fields?: Fields, init?: Visitor): Promise<ShownPage>;
  close(): Promise<void>;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

export interface Visitor {
  readonly admin?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startSectionPanel(
  engine: Engine,
  options: Partial<PanelApiOptions> = {},
  section: Partial<ApiSectionOptions> = {},
  given?: TestDatabase,
): Promise<SectionPanel> {
  const database = given ?? (await freshDatabase(engine));
  await createPanelTables(database.knex);
  await insertPanelRows(database.knex);
  const app = new Koa();
  // The section needs the API, which the fixture makes together with the server.
  let routes: Koa.Middleware | undefined;
  app.use((ctx, next) => (routes ? routes(ctx, next) : next()));
  const panel = await startPanel({ db: database.knex, rateLimit: { requests: 10_000 }, ...options }, app);
  const authorize = (ctx: Koa.Context) => decodeURIComponent(ctx.cookies.get('admin') ?? '');
  routes = createApiSection({
    api: panel.api,
    authorize,
    prefix: SECTION,
    ...section,
  }).routes() as Koa.Middleware;

  const ask = async (path: string, { admin = 'ann', headers = {} }: Visitor, init: RequestInit = {}) => {
    const cookie = admin === null ? {} : { Cookie: `admin=${encodeURIComponent(admin)}` };
    const response = await fetch(new URL(path, `${panel.url}${SECTION}/`), {
      redirect: 'manual',
      ...init,
      headers: { ...cookie, ...headers },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    panel,
    database,
    get: (path, init = {}) => ask(path, init),
    async send(page, action, fields = {}, init = {}) {
      const { text } = await ask(page, init);
      const body = new URLSearchParams(hiddenFields(text, action));
      for (const [name, value] of Object.entries(fields)) {
        body.delete(name);
        for (const one of [value].flat()) body.append(name, one);
      }
      const headers = { 'Sec-Fetch-Site': 'same-origin', ...init.headers };
      return ask(action, { ...init, headers }, { method: 'POST', body });
    },
    async close() {
      await panel.close();
      await database.drop();
    },
  };
}

/** The hidden fields of the form on a page that is sent to that path; none where there is no such form. */
export function hiddenFields(text: string, action: string): [string, string][] {
  const forms = [...text.matchAll(/<form method="post" action="([^"]*)"[\s\S]*?<\/form>/g)];
  const form = forms.find(([, target = '']) => target.replace(/^(?:\.\.\/)+/, '') === action)?.[0] ?? '';
  return [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [unescaped(name), unescaped(value)],
  );
}

/** The plain token on a page. */
export function shownToken(text: string): string | undefined {
  return /\bpnl_[0-9A-Za-z]{46}\b/.exec(text)?.[0];
}

/** What a page says, without its tags. */
export function wordsOf(text: string): string {
  return unescaped(text.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
