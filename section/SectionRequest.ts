import type { Context } from 'koa';
import type { Author } from '../lib/audit/AuditLog';
import type { Installation } from '../lib/Installation';
import { API_PATH } from '../lib/operations/Operation';
import type { StoredSecret } from '../lib/settings/StoredSecret';
import type { ApiSectionOptions } from './ApiSectionOptions';
import { newFormToken, readFormToken } from './formTokens';
import { type Html, html } from './html';
import { readForm } from './readForm';
import { SectionFailure } from './SectionFailure';

/** The parts of one mount of the section. */
export interface Section {
  readonly options: ApiSectionOptions;
  readonly installation: Installation;
  /** Signs the tokens of forms, so that a form of one process may be sent to another. */
  readonly formKey: StoredSecret;
}

const TOKEN_FIELD = 'form_token';

/** A host with its port, as a browser writes it. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** One request of an administrator, with the links and forms of the page that answers it. */
export class SectionRequest {
  readonly ctx: Context;
  /** The administrator's name; empty for a person who is refused. */
  readonly actor: string;
  readonly section: Section;

  constructor(ctx: Context, actor: string, section: Section) {
    this.ctx = ctx;
    this.actor = actor;
    this.section = section;
  }

  get installation(): Installation {
    return this.section.installation;
  }

  /** The author of the changes that this request makes, for the audit trail. */
  get author(): Author {
    return { actor: this.actor, origin: 'api-section' };
  }

  /** The path of the page below the section's own, with a slash before it. */
  get path(): string {
    const { prefix = '' } = this.section.options;
    return this.ctx.path.slice(prefix.length) || '/';
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.ctx.querystring);
  }

  /** The API's address for integrations, `/api/v1` included. An odd host is replaced: it goes into shell commands. */
  get apiUrl(): string {
    // From Koa 3 on, `ctx.origin` is the Origin header of the request.
    const { protocol, host } = this.ctx;
    const own = `${protocol}://${HOST.test(host) ? host : 'localhost'}`;
    return (this.section.options.apiUrl ?? own).replace(/\/$/, '') + API_PATH;
  }

  /**
   * The link to a page of the section, given as its path without a slash before it. The link is relative, so
   * that it is right behind any prefix, mount or proxy.
   */
  to(path: string): string {
    const depth = this.path.split('/').length - 2;
    return this.#folder + '../'.repeat(depth) + path || './';
  }

  /** Browsers resolve links of the section's own address against the folder above if it has no slash at its end. */
  get #folder(): string {
    const [path = ''] = this.ctx.originalUrl.split('?');
    const last = path.slice(path.lastIndexOf('/') + 1);
    return this.path === '/' && last !== '' ? `${last}/` : '';
  }

  /** A form that is sent to that page by POST, with a form token of its own. */
  async form(path: string, content: Html): Promise<Html> {
    const key = await this.section.formKey.read();
    const token = newFormToken(key, { actor: this.actor, action: path });
    return html`<form method="post" action="${this.to(path)}" autocomplete="off">
<input type="hidden" name="${TOKEN_FIELD}" value="${token}">
${content}</form>`;
  }

  /**
   * The fields of the form that was sent to this page, and the unique part of its token as an idempotency key. Throws
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
  return html`<p><a href="${request.to('tokens')}">To all tokens</a></p>`;
}
