import type { AnyOperation, ListOperation } from '../lib/fields/Operation';
import { accounts } from './accounts';
import { backups } from './backups';
import { cron } from './cron';
import { databases } from './databases';
import { domains } from './domains';
import { email } from './email';
import { health } from './health';
import { jobs } from './jobs';
import { me } from './me';
import { openapi } from './openapi';
import { releaseAudit } from './release-audit';
import { serverHealth } from './server-health';
import { services } from './services';
import { settings } from './settings';
import { ssl } from './ssl';
import { websites } from './websites';

/** Every endpoint, in the order of the documentation. A new one is a file beside this one and a line here. */
export const operations = [
  me,
  accounts,
  domains,
  websites,
  email,
  databases,
  ssl,
  backups,
  jobs,
  cron,
  services,
  settings,
  health,
  serverHealth,
  openapi,
  releaseAudit,
] as const satisfies readonly AnyOperation[];

type AnyRoute = (typeof operations)[number];
type List = Extract<AnyRoute, ListOperation>;
type ObjectRoute = Exclude<AnyRoute, ListOperation>;

/** The declaration of each list, by its name. */
export type Lists = { readonly [L in List as L['name']]: L };
export type ListName = keyof Lists;
export type FieldsOf<N extends ListName> = Lists[N]['fields'];

/** The declaration of each object, by its name in JavaScript. */
type Objects = { readonly [O in ObjectRoute as CamelCase<O['name']>]: O };
export type ObjectName = keyof Objects;
export type ObjectFieldsOf<N extends ObjectName> = Objects[N]['fields'];

type CamelCase<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<B>}` : S;
