/** A way to mount the module in an app. `arrangements.cjs` describes the parts. */
export interface Arrangement {
  readonly prefix?: string;
  readonly adds?: readonly string[];
  readonly changes?: readonly string[];
}

export const arrangements: Readonly<Record<string, Arrangement>>;
export const packages: readonly string[];
