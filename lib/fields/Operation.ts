import { unknownWord } from '../errors/InvalidInput';
import { type Fields, type ObjectOf, object, text } from './index';

/** The groups of endpoints in the documentation, with their subjects. */
export const tags = {
  'Accounts and users': 'The token of the request, and the accounts of the panel.',
  'Domains and websites': 'Domains and websites.',
  'Email and databases': 'Mailboxes, other email addresses, and databases.',
  'SSL and security': 'TLS certificates and backups.',
  'Jobs and scheduling': 'Background jobs and scheduled tasks.',
  'Platform and health': 'The server, its services and settings, and the API itself.',
} as const;

export type Tag = keyof typeof tags;

/** The declaration of an endpoint. */
export interface Operation {
  /** The resource's name, which is part of the path. */
  readonly name: string;
  /** The scope that it requires, of a list its name and `.read`. Of several, separated by spaces, any is enough. */
  readonly scope: string;
  /** Its group in the documentation. */
  readonly tag: Tag;
  /** The resource's name at the beginning of a sentence. */
  readonly title: string;
  /** One sentence about its content. */
  readonly description: string;
  readonly kind: 'list' | 'object';
  /** The fields of a list's items, or of `data` itself. The first field of a list is its key. */
  readonly fields: Fields;
  /** The name of a list's item in the OpenAPI document. */
  readonly item?: string;
  /** The field of a list with a row's account, if it is not `account_id`. See `ownerField`. */
  readonly owner?: string;
  /** The query parameters of an object, each with the words that it may have. Those of a list follow from its fields. */
  readonly parameters?: Readonly<Record<string, ObjectParameter>>;
  /** Whether it is about the whole server, and so forbidden to tokens of one account. For a list the rows decide. */
  readonly serverWide?: true;
  /** Whether a list is read from systemd by default. */
  readonly fromSystemd?: true;
  /** Whether a list contains only rows whose keys the panel allows. */
  readonly allowList?: true;
}

interface ObjectParameter {
  readonly description: string;
  readonly words: readonly string[];
}

/** A resource with one item per row of its source. */
export interface ListOperation extends Operation {
  readonly kind: 'list';
  readonly item: string;
}

/** A resource that is one object, loaded by its own function. See `objectOperation`. */
export interface ObjectOperation<F extends Fields = Fields> extends Operation {
  readonly kind: 'object';
  readonly fields: F;
  /** The context is a RequestContext. */
  load(context: object, mount: object): Promise<ObjectOf<F>>;
  /**
   * Returns everything that the object depends on besides the time, as a text. Simultaneous requests with the same text
   * share one load, and only one load of it runs at a time. Default: one load per request.
   */
  alike?(context: object): string;
}

export type AnyOperation = ListOperation | ObjectOperation;

export function listOperation<const T extends Omit<ListOperation, 'kind' | 'scope'>>(
  declaration: T,
): T & { readonly kind: 'list'; readonly scope: `${T['name']}.read` } {
  const { name }: { readonly name: T['name'] } = declaration;
  return { ...declaration, kind: 'list', scope: `${name}.read` };
}

/** The field of a list with the account that a row belongs to. */
export const ACCOUNT = 'account_id';

/** The field of a list with a row's account, if it has one. */
export function ownerField({ owner, fields }: Pick<Operation, 'owner' | 'fields'>): string | undefined {
  return owner ?? (ACCOUNT in fields ? ACCOUNT : undefined);
}

/** Whether the operation is about the whole server in every panel. */
export function isServerWide(operation: Operation): boolean {
  return operation.serverWide ?? (operation.kind === 'list' && ownerField(operation) === undefined);
}

/** The path prefix of all endpoints. */
export const API_PATH = '/api/v1';

export function pathOf({ name }: Pick<Operation, 'name'>): string {
  return `/${name}.php`;
}

export function successMessage({ title }: Pick<Operation, 'title'>): string {
  return `${title} loaded.`;
}

/** The scope that grants all others. */
export const EVERY_SCOPE = '*';

/** A scope. In the declarations, the build names all, which editors then suggest; text of a variable is accepted too. */
export type Scope = string;

/** Every scope that a token may have, with `*` last. */
export function scopesOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.map(({ scope }) => scope)), EVERY_SCOPE];
}

/** Returns these scopes, each once, in the order of the known ones. Throws InvalidInput that names an unknown one. */
export function checkScopes(
  input: string,
  scopes: readonly unknown[],
  known: readonly string[],
  problem = 'Unknown scope',
) {
  const isKnown = new Set<unknown>(known);
  const unknown = scopes.findIndex((scope) => !isKnown.has(scope));
  if (unknown < 0) return known.filter((scope) => scopes.includes(scope));
  throw unknownWord(input, 'scope', String(scopes[unknown]), known, problem);
}

export function grants(scopes: readonly string[], { scope }: Pick<Operation, 'scope'>): boolean {
  return scopes.includes(EVERY_SCOPE) || scope.split(' ').some((one) => scopes.includes(one));
}

/** The panel's name and version in the mount options. */
export const panelField = object('The hosting panel that provides the API.', {
  name: text('Name of the panel.'),
  version: text('Version of the panel.'),
});
