import { type Fields, type ObjectOf, object, required, text } from '../fields';

/** The groups of endpoints in the documentation, each with its subject. */
export const tags = {
  'Accounts and users': 'Who holds a token, and the accounts of the panel.',
  'Domains and websites': 'Domains and what is served under them.',
  'Email and databases': 'Mailboxes, other addresses, and databases.',
  'SSL and security': 'Certificates and backups.',
  'Jobs and scheduling': 'Background work and recurring tasks.',
  'Platform and health': 'The server, its services and settings, and this API itself.',
} as const;

export type Tag = keyof typeof tags;

/** The declaration of an endpoint. */
export interface Operation {
  /** The resource's name; its path contains it. */
  readonly name: string;
  readonly scope: string;
  /** The group that it belongs to in the documentation. */
  readonly tag: Tag;
  /** The resource's name at the beginning of a sentence. */
  readonly title: string;
  /** One sentence about its content. */
  readonly description: string;
  readonly kind: 'list' | 'object';
  /** Fields of each item of a list, or of `data` itself. The first field of a list is its key. */
  readonly fields: Fields;
  /** The field of a list that says which account a row belongs to, if that is not `account_id`. See `ownerField`. */
  readonly owner?: string;
  /** Whether it concerns the whole server, and so is not for tokens of one account. For a list its rows decide. */
  readonly serverWide?: true;
  /** Whether a list comes from systemd unless the panel says otherwise. */
  readonly fromSystemd?: true;
  /** Whether a list holds only rows whose keys the panel allows. */
  readonly allowList?: true;
}

/** A resource with one item for each row of its source. */
export interface ListOperation extends Operation {
  readonly kind: 'list';
}

/** A resource that is one object, which its own function loads. */
export interface ObjectOperation<F extends Fields = Fields, Context = never, Mount = never>
  extends Operation {
  readonly kind: 'object';
  readonly fields: F;
  readonly load: (context: Context, mount: Mount) => Promise<ObjectOf<F>>;
  /**
   * Returns all that the object depends on besides the time, as a text that has few different values. Requests with the
   * same text share one load if they arrive together, and only one load runs at a time. Without it, each request has its
   * own load.
   */
  readonly alike?: (context: Context) => string;
}

export type AnyOperation<Context = never, Mount = never> =
  | ListOperation
  | ObjectOperation<Fields, Context, Mount>;

/** Declares a list. */
export function listOperation<const T extends Omit<ListOperation, 'kind'>>(
  declaration: T,
): T & { readonly kind: 'list' } {
  return { ...declaration, kind: 'list' };
}

/** Declares an object. */
export function objectOperation<const F extends Fields, Context, Mount>(
  declaration: Omit<ObjectOperation<F, Context, Mount>, 'kind'>,
): ObjectOperation<F, Context, Mount> {
  return { ...declaration, kind: 'object' };
}

/** The field of a list that says which account a row belongs to, if it has one. */
export function ownerField({ owner, fields }: Pick<Operation, 'owner' | 'fields'>): string | undefined {
  return owner ?? ('account_id' in fields ? 'account_id' : undefined);
}

/** Whether the operation concerns the whole server at every panel. */
export function isServerWide(operation: Operation): boolean {
  return operation.serverWide ?? (operation.kind === 'list' && ownerField(operation) === undefined);
}

/** The path that all endpoints are below. */
export const API_PATH = '/api/v1';

/** The path of a resource below API_PATH. */
export function pathOf({ name }: Pick<Operation, 'name'>): string {
  return `/${name}.php`;
}

/** The scope that grants all others. */
export const EVERY_SCOPE = '*';

/** Every scope that a token may carry, `*` last. */
export function scopesOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.map(({ scope }) => scope)), EVERY_SCOPE];
}

/** Whether a token with these scopes has that of the operation. */
export function grants(scopes: readonly string[], { scope }: Pick<Operation, 'scope'>): boolean {
  return scopes.includes(scope) || scopes.includes(EVERY_SCOPE);
}

/** The panel as it names itself in the options. */
export const panelField = required(
  object('The panel.', {
    name: required(text('Name of the panel.')),
    version: required(text('Version of the panel.')),
  }),
);
