/** The properties of one unit, by systemd's names. */
export type UnitProperties = ReadonlyMap<string, string>;

/**
 * The units in the output of `systemctl show`, by each of their names: blocks of `Name=value` lines with an
 * empty line between them. An alias and its unit give the same properties.
 */
export function parseUnits(output: string): ReadonlyMap<string, UnitProperties> {
  const units = new Map<string, UnitProperties>();
  for (const block of output.split(/\n\s*\n/)) {
    const properties = parseBlock(block);
    const names = [properties.get('Id') ?? '', ...(properties.get('Names') ?? '').split(' ')];
    for (const name of names) if (name !== '') units.set(name, properties);
  }
  return units;
}

function parseBlock(block: string): UnitProperties {
  const properties = new Map<string, string>();
  for (const line of block.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0) properties.set(line.slice(0, equals), line.slice(equals + 1).trim());
  }
  return properties;
}
