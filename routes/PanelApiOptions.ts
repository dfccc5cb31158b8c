import type { ListOperation } from '../lib/operations/Operation';
import type { MountOptions } from '../lib/options/MountOptions';
import type { TableSourceOptions, UnitSourceOptions } from '../lib/sources/SourceOptions';
import type { operations } from '.';

type List = Extract<(typeof operations)[number], ListOperation>;

type TableOf<L extends List> = TableSourceOptions<keyof L['fields'] & string>;

/** What the panel may say of one list, beside `false`. */
type SourceOf<L extends List> = L['name'] extends 'services'
  ? Omit<TableOf<L>, 'keys'> | UnitSourceOptions
  : L['name'] extends 'settings'
    ? TableOf<L>
    : Omit<TableOf<L>, 'keys'>;

/** Where each list comes from, by the resource's name; a misspelt resource or field does not compile. */
export type Sources = { readonly [L in List as L['name']]?: false | SourceOf<L> };

/** What a panel says at the mount; all but `db` and `logger` may be left out. */
export type PanelApiOptions = MountOptions<Sources>;
