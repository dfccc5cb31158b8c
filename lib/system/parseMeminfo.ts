/** The figures of /proc/meminfo in bytes (the kernel writes kibibytes as `kB`), by the kernel's names. */
export function parseMeminfo(text: string): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const [, name, kibibytes] of text.matchAll(/^(\S+):\s+(\d+) kB$/gm)) {
    figures.set(name!, Number(kibibytes) * 1024);
  }
  return figures;
}
