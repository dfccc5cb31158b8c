import type { ListOperation } from '../lib/operations/Operation';
import type { MountOptions } from '../lib/options/MountOptions';
import type { PartOptions, UnitSourceOptions } from '../lib/sources/SourceOptions';
import type { operations } from '.';

type List = Extract<(typeof operations)[number], ListOperation>;

/** One source of a list; only an allow-list has keys. */
type PartOf<L extends List> = L extends { readonly allowList: true }
  ? PartOptions<L['fields']>
  : PartOptions<L['fields']> & { readonly keys?: never };

/** What the panel may say of one list, beside `false`. */
type SourceOf<L extends List> =
  | PartOf<L>
  | readonly PartOf<L>[]
  | (L extends { readonly fromSystemd: true } ? UnitSourceOptions : never);

/** Where each list comes from, by the resource's name; a misspelt resource or field does not compile. */
export type Sources = { readonly [L in List as L['name']]?: false | SourceOf<L> | undefined };

/** One source of a list, by the resource's name: what a list of several parts is made of. */
export type SourcePart<Name extends List['name']> = PartOf<Extract<List, { readonly name: Name }>>;

/** What a panel says at the mount; all but `db` and `logger` may be left out. */
export type PanelApiOptions = MountOptions<Sources>;
