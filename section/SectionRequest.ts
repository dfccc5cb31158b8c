import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Author } from '../lib/audit/AuditLog';
import type { Installation } from '../lib/Installation';
import { API_PATH } from '../lib/operations/Operation';
import type { ApiSectionOptions } from './ApiSectionOptions';
import { readForm, SectionFailure } from './forms';
import { type FormKey, newFormToken, readFormToken } from './formTokens';
import { type Html, html } from './html';

const TOKEN_FIELD = 'form_token';

/** A host as a browser writes it, with its port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** One request of an administrator: who sends it, what it carries, and how pages refer to each other from there. */
export class SectionRequest {
  readonly ctx: Context;
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

  /** Whoever the audit trail will name. */
  get author(): Author {
    return { actor: this.actor, origin: 'api-section' };
  }

  /** The path of the page, without what stands before the section. */
  get path(): string {
    const { prefix = '' } = this.section.options;
    return this.ctx.path.slice(prefix.length) || '/';
  }

  /** What stands behind the `?` of the page's address. */
  get query(): URLSearchParams {
    return new URLSearchParams(this.ctx.querystring);
  }

  /** Where the API is for integrations, `/api/v1` included. It goes into lines for a shell, so that an odd host does not. */
  get apiUrl(): string {
    // What Koa calls the origin has been a header of the request since its third version.
    const { protocol, host } = this.ctx;
    const own = `${protocol}://${HOST.test(host) ? host : 'localhost'}`;
    return (this.section.options.apiUrl ?? own).replace(/\/$/, '') + API_PATH;
  }

  /**
   * A reference to a page of the section, given as a path without a slash before it. It is relative, so that it is
   * right behind any prefix, mount or proxy.
   */
  to(path: string): string {
    const depth = this.path.split('/').length - 2;
    return this.#folder + '../'.repeat(depth) + path || './';
  }

  /** Without a slash at its end, the address of the section itself is a file in the folder above. */
  get #folder(): string {
    const [path = ''] = this.ctx.originalUrl.split('?');
    const last = path.slice(path.lastIndexOf('/') + 1);
    return this.path === '/' && last !== '' ? `${last}/` : '';
  }

  /** A form that changes something when it is sent to that page, with a token of its own. */
  async form(path: string, content: Html): Promise<Html> {
    const key = await this.section.formKey.read();
    const token = newFormToken(key, { actor: this.actor, action: path });
    return html`<form method="post" action="${this.to(path)}" autocomplete="off">
<input type="hidden" name="${TOKEN_FIELD}" value="${token}">
${content}</form>`;
  }

  /**
   * The fields of a form that was sent to this page, and what is unique in its token. Throws SectionFailure where it
   * is not one that this administrator was shown.
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

/** A page to show. */
export interface Page {
  readonly title: string;
  readonly content: Html;
  /** Whether the page shows the section's notices, such as that the API is off. Default: no. */
  readonly hasNotices?: boolean;
  /** Default 200. */
  readonly status?: number;
  /** Called if the page comes too late to be shown. */
  readonly ifUnseen?: () => Promise<unknown>;
}

/** Another page to go on to, as a path within the section. */
interface Redirect {
  readonly goTo: string;
}

/** What is no page: a table to keep. */
interface Download {
  /** The media type, with its charset. */
  readonly type: string;
  readonly body: Readable;
  /** What the browser calls the file that it keeps. */
  readonly fileName: string;
}

/** What answers requests for one path of the section. */
export type PageHandler = (request: SectionRequest) => Promise<Page | Redirect | Download>;

/** One path of the section and what answers there. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly handler: PageHandler;
}

/** What one mount of the section consists of. */
export interface Section {
  readonly options: ApiSectionOptions;
  readonly installation: Installation;
  readonly formKey: FormKey;
}

/** The way back to the list of tokens, from a page that leads nowhere else. */
export function toTokens(request: SectionRequest): Html {
  return html`<p><a href="${request.to('tokens')}">To all tokens</a></p>`;
}
