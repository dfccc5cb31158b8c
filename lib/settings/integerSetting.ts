import type { Setting } from './Setting';

type Rest<T> = Omit<Setting<T>, 'expects' | 'accept' | 'read' | 'write' | 'bounds'> &
  Required<Pick<Setting<T>, 'bounds'>>;

/** A setting that is a whole number within its bounds. */
export function integerSetting(rest: Rest<number>): Setting<number> {
  const { minimum, maximum } = rest.bounds;
  const accept = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? Number(value)
      : undefined;
  return {
    ...rest,
    expects: `a whole number from ${minimum} to ${maximum}`,
    accept,
    read: (text) => (/^[1-9]\d*$/.test(text) ? accept(Number(text)) : undefined),
    write: String,
  };
}

/** The same, where null says "never" and is kept as 0. */
export function integerOrNeverSetting({
  initial,
  ...rest
}: Omit<Rest<number>, 'given' | 'option'>): Setting<number | null> {
  const { expects, accept, read } = integerSetting({ ...rest, initial });
  return {
    ...rest,
    initial,
    bounds: { minimum: 0, maximum: rest.bounds.maximum },
    expects: `${expects}, or 0 for never`,
    accept: (value) => (value === null || value === 0 ? null : accept(value)),
    read: (text) => (text === '0' ? null : read(text)),
    write: (value) => String(value ?? 0),
  };
}
