import type { Operation } from '../lib/fields/Operation';
import type { Restores } from '../lib/history/Restores';
import type { PanelAccounts } from '../lib/lists/PanelAccounts';
import type { AccessPreview, ReadingRights } from '../lib/lists/previewAccess';
import type { PanelLog } from '../lib/log/PanelLog';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { PanelApi } from '../middleware/PanelApi';

/** The check of one list, which never rejects. */
export interface ListCheck {
  /** Checks whether the list can be read now. */
  read(): Promise<{
    readonly status: 'pass' | 'warn' | 'fail';
    readonly state?: 'served' | 'off' | 'missing' | 'failed';
    readonly detail?: string;
    readonly isLate: boolean;
  }>;
}

/** A setting with its value, its source, and who changed it when. */
export type SettingDescription = Awaited<ReturnType<PanelApi['settings']['describe']>>[number];

/** What the section uses of a mounted API besides the methods of PanelApi. */
export interface SectionParts {
  readonly options: {
    readonly deadlineMs: number;
    /** Undefined if no option of the mount overrides the setting. */
    readonly enabled?: unknown;
    readonly apiUrl?: string;
    readonly journal?: string;
    readonly panel: { readonly name: string };
    readonly usage: { readonly keepDays: number };
  };
  readonly log: PanelLog;
  /** A regular expression that matches a whole token within a text. */
  readonly tokenPattern: string;
  readonly panelAccounts: PanelAccounts;
  readonly restores: Restores;
  /** The check of each list, by the list's name. */
  readonly listChecks: ReadonlyMap<string, ListCheck>;
  /** The paths of what is mounted beside the API, by their names. */
  readonly mounts: ReadonlyMap<string, string>;
  /** Seals form tokens and notices, so that any process can accept what another has shown. */
  readonly formKey: { read(): Promise<Buffer>; readAgain(): Promise<Buffer> };
  /** The time of the database's clock, in seconds since 1970. */
  clock(): Promise<number>;
  /** Returns the endpoints that this panel serves. */
  servedOperations(): Promise<readonly Operation[]>;
  /** Returns what a token could read, with the first `rows` rows of each list. */
  previewAccess(token: ReadingRights, deadlineMs: number, rows?: number): Promise<readonly AccessPreview[]>;
  /** Returns the accounts of an active token that are not served now; `unknown` if that cannot be read. */
  refusedAccounts(token: TokenRecord): Promise<readonly { readonly id: string; readonly refusal: string }[]>;
  /** Returns the networks that a token was used from, as far as they are stored. */
  seenNetworks(id: number): Promise<readonly string[]>;
  /** Returns the first endpoint that answers this token with 200; null if there is none. */
  firstReadable(token: ReadingRights): Promise<Operation | null>;
  /** Returns the OpenAPI document of this installation, for the API below this URL. */
  openapiDocument(server: string): Promise<object>;
}
