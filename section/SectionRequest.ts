import { isIP } from 'node:net';
import type { Context } from 'koa';
import { clientAddress } from '../lib/addresses/clientAddress';
import { isHost } from '../lib/addresses/requestOrigin';
import type { Author } from '../lib/audit/AuditLog';
import type { InvalidInput } from '../lib/errors/InvalidInput';
import type { Installation } from '../lib/Installation';
import { API_PATH } from '../lib/operations/Operation';
import type { StoredSecret } from '../lib/settings/StoredSecret';
import type { TokenRules } from '../lib/tokens/checkTokenRequest';
import type { KeptAnswers } from '../middleware/KeptAnswers';
import type { ApiSectionOptions } from './ApiSectionOptions';
import { newFormToken, readFormToken } from './formTokens';
import { type Html, html } from './html';
import { readForm } from './readForm';
import { SectionFailure } from './SectionFailure';
import { englishTexts, type TextKey } from './texts';
import type { Texts } from './texts/Texts';

/** What all pages of a mounted section share. */
export interface Section {
  readonly options: ApiSectionOptions;
  readonly installation: Installation;
  /** Signs form tokens, so that any process can accept a form that another has shown. */
  readonly formKey: StoredSecret;
  readonly texts: Texts;
  readonly answers: KeptAnswers;
}

/** The field with a form's own token. */
export const TOKEN_FIELD = 'form_token';

/** An administrator's request, with the links and forms for its answer. */
export class SectionRequest {
  readonly ctx: Context;
  /** The administrator's name; empty if the person was refused. */
  readonly actor: string;
  readonly section: Section;
  /** See `Texts`. */
  readonly text: Texts['text'];
  readonly words: Texts['words'];
  readonly number: Texts['number'];
  readonly day: Texts['day'];
  readonly exact: Texts['exact'];

  constructor(ctx: Context, actor: string, section: Section) {
    this.ctx = ctx;
    this.actor = actor;
    this.section = section;
    const { texts } = section;
    this.text = texts.text.bind(texts);
    this.words = texts.words.bind(texts);
    this.number = texts.number.bind(texts);
    this.day = texts.day.bind(texts);
    this.exact = texts.exact.bind(texts);
  }

  /** A time relative to now; see `Texts`. */
  relative(seconds: number | null, none?: string): Html {
    return this.section.texts.relative(seconds, Math.floor(Date.now() / 1000), none);
  }

  /** The sentence about a wrong value: the text `invalid.` and its name if there is one, else the module's sentence. */
  invalid({ input, message }: InvalidInput): string {
    const key = `invalid.${input}` as TextKey;
    return this.text((key in englishTexts ? key : 'invalid.other') as 'invalid.other', { message });
  }

  get installation(): Installation {
    return this.section.installation;
  }

  /** What the properties of a token are checked by. */
  get tokenRules(): TokenRules {
    const { scopes, options } = this.installation;
    return { scopes, prefix: options.tokenPrefix };
  }

  /** The author of the changes of this request, for the audit trail. */
  get author(): Author {
    const address = clientAddress(this.ctx);
    return { actor: this.actor, origin: 'api-section', address: isIP(address) === 0 ? null : address };
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
    const own = `${protocol}://${isHost(host) ? host : 'localhost'}`;
    return (this.section.options.apiUrl ?? own).replace(/\/$/, '') + API_PATH;
  }

  /**
   * Returns the link to a page of the section, given by its path without a leading slash. The link is relative, so that
   * it is valid behind any prefix, mount or proxy.
   */
  to(path: string): string {
    const depth = this.path.split('/').length - 2;
    return this.#folder + '../'.repeat(depth) + path || './';
  }

  /** Browsers resolve relative links against the parent folder if the section's own URL has no trailing slash. */
  get #folder(): string {
    const [path = ''] = this.ctx.originalUrl.split('?');
    const last = path.slice(path.lastIndexOf('/') + 1);
    return this.path === '/' && last !== '' ? `${last}/` : '';
  }

  /**
   * Returns a POST form to that page, with its own form token. With `keepsValues`, a browser may fill it in again when
   * the administrator goes back to its page.
   */
  async form(path: string, content: Html, { keepsValues = false } = {}): Promise<Html> {
    const key = await this.section.formKey.read();
    const token = newFormToken(key, { actor: this.actor, action: path });
    return html`<form method="post" action="${this.to(path)}"${keepsValues ? null : html` autocomplete="off"`}>
<input type="hidden" name="${TOKEN_FIELD}" value="${token}">
${content}</form>`;
  }

  /**
   * Returns the fields of the submitted form, and the unique part of its token as an idempotency key. Throws
   * SectionFailure unless the section showed this form to this administrator.
   */
  async sent(): Promise<{ readonly fields: URLSearchParams; readonly idempotencyKey: string }> {
    const fields = await readForm(this.ctx);
    const { formKey } = this.section;
    const purpose = { actor: this.actor, action: this.path.slice(1) };
    const read = (key: Buffer) => readFormToken(key, purpose, fields.get(TOKEN_FIELD) ?? '');
    const idempotencyKey = read(await formKey.read()) ?? read(await formKey.readAgain());
    if (idempotencyKey === null) throw new SectionFailure('form_stale');
    return { fields, idempotencyKey };
  }
}

/** The link to the list of tokens, for a page without other links. */
export function toTokens(request: SectionRequest): Html {
  return html`<p><a href="${request.to('tokens')}">${request.text('frame.to_tokens')}</a></p>`;
}
