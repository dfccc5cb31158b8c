import type { Setting } from './Setting';

type Rest = Omit<Setting<boolean>, 'expects' | 'accept' | 'read' | 'write'>;

/** A setting that is on or off; it is kept as `true` or `false` and in no other spelling. */
export function flagSetting(rest: Rest): Setting<boolean> {
  return {
    ...rest,
    expects: 'true or false',
    accept: (value) => (typeof value === 'boolean' ? value : undefined),
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    write: String,
  };
}
