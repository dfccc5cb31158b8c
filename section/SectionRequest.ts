import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'koa';
import { clientAddress, forwardedPrefix, isHost } from '../lib/addresses/requestOrigin';
import { withTimeout } from '../lib/async/withTimeout';
import type { Author } from '../lib/audit/AuditLog';
import type { InvalidInput } from '../lib/errors/InvalidInput';
import { API_PATH } from '../lib/fields/Operation';
import type { PanelApi } from '../middleware/PanelApi';
import { type Html, hidden, html, type Part } from './html';
import { readForm } from './readForm';
import { SectionFailure } from './SectionFailure';
import type { SectionOptions } from './SectionOptions';
import type { SectionParts } from './SectionParts';
import { type Person, seal, unseal } from './sealed';
import type { TokenView } from './TokenView';
import type { TextKey } from './texts';
import { Texts, type TextTable } from './texts/Texts';

/** What a section for administrators and one for customers each have of their own. */
export interface SectionKind {
  readonly origin: Author['origin'];
  /** Asks the panel who sends a request. */
  readonly ask: (ctx: Context) => unknown;
  /** The person that the panel named; null if it named none. */
  readonly personOf: (answer: unknown) => Person | null;
  /** The line of the log about an answer that is neither a person nor empty. */
  readonly wrongAnswer: string;
  /** Asks the panel whether the person has just signed in, before a token is created. Default: always. */
  readonly isFresh?: (ctx: Context) => unknown;
  readonly viewFor: (request: SectionRequest) => TokenView;
  /** What pages say above their content. */
  readonly notices: (request: SectionRequest) => Promise<Part>;
}

/** A page in the navigation. */
export interface NavigationRow {
  /** The path below the section's, as a route of the router. */
  readonly path: string;
  /** The text of its label in the navigation. Default: the page is not in the navigation. */
  readonly entry?: `nav.${string}` & TextKey;
  /** What must be mounted beside the API for the entry to be shown. Default: nothing. */
  readonly mounted?: string;
}

/** What all pages of a mounted section share. */
export interface Section extends SectionKind {
  readonly options: SectionOptions;
  readonly parts: SectionParts;
  readonly entries: readonly NavigationRow[];
  /** The texts of the offered languages, the usual one first. */
  readonly tables: readonly TextTable[];
  /** Protects an answer from middleware above the mount. */
  readonly protect: (ctx: Context) => void;
}

export const TOKEN_FIELD = 'form_token';

/** How long a form is accepted after its page was shown, in milliseconds: a working day. */
const FORM_LIFETIME_MS = 12 * 3600 * 1000;

type FormFields = Iterable<readonly [name: string, value: string | number]>;

/** What a form has around its content. */
interface FormParts {
  readonly fields?: FormFields;
  /** The words of the button that sends the form, also by Enter; default: the content has the buttons. */
  readonly submit?: string;
  /** Whether that button ends something. */
  readonly isDanger?: boolean;
  readonly more?: Html;
  readonly attributes?: Html;
  /** Whether a browser may fill the form in again when the person goes back to its page. */
  readonly keepsValues?: boolean;
}

/** A request of an administrator or a customer, with the sentences, links and forms for its answer. */
export class SectionRequest extends Texts {
  readonly ctx: Context;
  readonly person: Person;
  readonly section: Section;
  readonly api: PanelApi;
  readonly parts: SectionParts;
  /** What the person may see of the tokens. */
  readonly view: TokenView;

  /** `person` is null if the person was refused. */
  constructor(ctx: Context, person: Person | null, section: Section) {
    super(tableFor(ctx, section.tables));
    this.ctx = ctx;
    this.person = person ?? { actor: '', origin: section.origin };
    this.section = section;
    this.api = section.options.api;
    this.parts = section.parts;
    this.view = section.viewFor(this);
  }

  /** The person's name; empty if the person was refused. */
  get actor(): string {
    return this.person.actor;
  }

  /** Whether the person is a customer, who knows nothing of other accounts and of administrators. */
  get isCustomer(): boolean {
    return this.person.accountId !== undefined;
  }

  /**
   * The sentence about a wrong value: the text `invalid.` and its name if there is one, else the module's sentence. That
   * quotes the values that it names.
   */
  invalid({ input, message }: InvalidInput): string {
    const key = `invalid.${input}`;
    const quoted = Array.from(message.matchAll(/"([^"]*)"/g), ([, value]) => value).join(', ');
    const values = { message, named: quoted || this.text('token.addresses') };
    return this.text((this.has(key) ? key : 'invalid.other') as 'invalid.other', values);
  }

  get author(): Author {
    const address = clientAddress(this.ctx);
    return { ...this.person, address: isIP(address) === 0 ? null : address };
  }

  /** The path of the page below the section's, with a leading slash. */
  get path(): string {
    const { prefix = '' } = this.section.options;
    return this.ctx.path.slice(prefix.length) || '/';
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.ctx.querystring);
  }

  /**
   * The API's URL for integrations, including `/api/v1`. A malformed host is replaced, because the URL is shown in
   * shell commands.
   */
  get apiUrl(): string {
    // Since Koa 3, `ctx.origin` is the request's Origin header.
    const { protocol, host } = this.ctx;
    const usual = `${protocol}://${isHost(host) ? host : 'localhost'}${forwardedPrefix(this.ctx)}`;
    return (this.section.options.apiUrl ?? this.parts.options.apiUrl ?? usual).replace(/\/$/, '') + API_PATH;
  }

  /**
   * Returns the URL of a page of the section, given by its path without a leading slash. It is relative, so that it is
   * valid behind any prefix, mount or proxy.
   */
  to(path: string, query: Readonly<Record<string, string>> = {}): string {
    const search = new URLSearchParams(query).toString();
    const depth = this.path.split('/').length - 2;
    // Browsers resolve it against the parent folder if the section's own URL has no trailing slash.
    const last = this.ctx.originalUrl.split('?')[0]?.split('/').at(-1);
    const folder = this.path === '/' && last ? `${last}/` : '';
    return (folder + '../'.repeat(depth) + path || './') + (search && `?${search}`);
  }

  link(path: string, words: Part): Html {
    return html`<a href="${this.to(path)}">${words}</a>`;
  }

  /** Returns a POST form to that page, with its own form token. */
  async form(
    path: string,
    content: Part,
    { fields = [], submit, isDanger = false, more, attributes, keepsValues = false }: FormParts = {},
  ): Promise<Html> {
    const id = randomBytes(16).toString('base64url');
    const token = await this.sealed(path, new URLSearchParams({ id }));
    return html`<form method="post" action="${this.to(path)}"${attributes}${!keepsValues && html` autocomplete="off"`}>
${hidden([[TOKEN_FIELD, token], ...fields])}${submit && html`<button hidden></button>`}${content}
${submit && html`<p class="actions"><button class="${isDanger && 'danger '}primary">${submit}</button> ${more}</p>`}</form>`;
  }

  /**
   * Returns the fields of the submitted form, and the unique part of its token as an idempotency key. Throws
   * SectionFailure unless the section showed this form to this person.
   */
  async sent(): Promise<{ readonly fields: URLSearchParams; readonly idempotencyKey: string }> {
    const fields = await readForm(this.ctx);
    const token = fields.get(TOKEN_FIELD) ?? '';
    const { formKey } = this.parts;
    const open = (key: Buffer) => this.unsealed(key, this.path.slice(1), token, FORM_LIFETIME_MS);
    const opened = open(await formKey.read()) ?? open(await formKey.readAgain());
    if (!opened) throw new SectionFailure('form_stale');
    return { fields, idempotencyKey: opened.get('id') ?? '' };
  }

  /** Seals fields for this person and one action. */
  async sealed(action: string, fields: URLSearchParams): Promise<string> {
    return seal(await this.parts.formKey.read(), { person: this.person, action }, fields);
  }

  /** Returns what was sealed for this person and this action; null if the text is anything else, or too old. */
  unsealed(key: Buffer, action: string, sealed: string, lifetimeMs: number): URLSearchParams | null {
    return unseal(key, { person: this.person, action }, sealed, lifetimeMs);
  }
}

function tableFor(ctx: Context, tables: readonly TextTable[]): TextTable {
  const wanted = ctx.acceptsLanguages(tables.map(({ language }) => language));
  return tables.find(({ language }) => language === wanted) ?? (tables[0] as TextTable);
}

/** The link to the list of tokens, for a page without other links. */
export function wayOut(request: SectionRequest): Html {
  return html`<p>${request.link('tokens', request.text('frame.to_tokens'))}</p>`;
}

/** How long a page waits for one of its parts, in milliseconds. */
export function partTimeout({ parts }: SectionRequest): number {
  return Math.min(2000, parts.options.deadlineMs / 3);
}

/** Returns what a page can do without; null if it cannot be read, or not in time. */
export async function ifReadable<T>(request: SectionRequest, part: Promise<T>): Promise<T | null> {
  return withTimeout(part, partTimeout(request)).catch(() => null);
}
