import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Installation } from '../lib/Installation';

/** How long a page may stand open before its forms are refused, in milliseconds: a working day. */
const LIFETIME_MS = 12 * 3600 * 1000;

/** How far the clocks of two servers of one panel may be apart. */
const CLOCK_SKEW_MS = 60_000;

/** Whose form it is, and what it does. */
interface FormPurpose {
  readonly actor: string;
  /** The path that the form is sent to, within the section. */
  readonly action: string;
}

/** A form's own token, good for one administrator, one action and half a day. */
export function newFormToken(key: Buffer, purpose: FormPurpose, now = Date.now()): string {
  const nonce = `${now.toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${nonce}.${sign(key, purpose, nonce)}`;
}

/** What is unique in a form's token; null where the token is forged, another one's or too old. */
export function readFormToken(
  key: Buffer,
  purpose: FormPurpose,
  token: string,
  now = Date.now(),
): string | null {
  const [, nonce, time = '', signature = ''] =
    /^(([0-9a-z]{1,10})\.[\w-]{22})\.([\w-]{43})$/.exec(token) ?? [];
  if (nonce === undefined) return null;
  const expected = Buffer.from(sign(key, purpose, nonce));
  if (!timingSafeEqual(expected, Buffer.from(signature))) return null;
  const age = now - Number.parseInt(time, 36);
  return age >= -CLOCK_SKEW_MS && age < LIFETIME_MS ? nonce : null;
}

function sign(key: Buffer, { actor, action }: FormPurpose, nonce: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([nonce, actor, action]))
    .digest('base64url');
}

const NAME = 'section_form_key';
const LENGTH = 32;

/**
 * The secret by which the section knows its own forms again. It is kept in the module's settings, so that a form of
 * one process may be sent to another.
 */
export class FormKey {
  readonly #installation: Pick<Installation, 'database' | 'migrations' | 'tables'>;
  #key: Promise<Buffer> | undefined;

  constructor(installation: Pick<Installation, 'database' | 'migrations' | 'tables'>) {
    this.#installation = installation;
  }

  /** The key, made when there is none that could be one. Rejects with a DatabaseFailure, and tries again the next time. */
  read(): Promise<Buffer> {
    this.#key ??= this.#readOrMake().catch((error) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  /** The key as it is now: the tables may have been made anew since the last look. */
  readAgain(): Promise<Buffer> {
    this.#key = undefined;
    return this.read();
  }

  async #readOrMake(): Promise<Buffer> {
    await this.#installation.migrations.ready();
    const known = await this.#stored();
    if (known.length === LENGTH) return known;
    await this.#make();
    // Another process may have been first.
    const made = await this.#stored();
    if (made.length !== LENGTH) throw new Error('The key of the forms could not be made.');
    return made;
  }

  async #stored(): Promise<Buffer> {
    const { database, tables } = this.#installation;
    const [row] = await database.query('section.key', (knex) =>
      knex(tables.settings).select({ value: 'value' }).where({ name: NAME }),
    );
    return Buffer.from(String(row?.value ?? ''), 'base64url');
  }

  async #make(): Promise<void> {
    const { database, tables } = this.#installation;
    const value = randomBytes(LENGTH).toString('base64url');
    const row = { value, updated_by: 'koa-panel-api', updated_at: database.knex.raw(database.dialect.now) };
    await database.query('section.makeKey', (knex) =>
      knex(tables.settings)
        .insert({ name: NAME, ...row })
        .onConflict('name')
        .ignore(),
    );
    // What cannot be a key gives way to one.
    await database.query('section.mendKey', (knex) =>
      knex(tables.settings)
        .where({ name: NAME })
        .whereRaw('LENGTH(??) <> ?', ['value', value.length])
        .update(row),
    );
  }
}
