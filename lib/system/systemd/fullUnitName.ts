const UNIT_NAME = /^[A-Za-z0-9:_.@\\-]+$/;
const UNIT_TYPES = /\.(?:service|socket|target|timer|path|mount|automount|swap|slice|scope|device)$/;
const MAX_LENGTH = 255;

/**
 * A unit's name with its type, `.service` where none is given (man 5 systemd.unit); null where it cannot be
 * one. Bare numbers become services too, which systemctl would read as job numbers; a template without an
 * instance (`foo@`) is null, because one such name makes systemctl fail for all the others.
 */
export function fullUnitName(name: string): string | null {
  if (!UNIT_NAME.test(name) || name.startsWith('-')) return null;
  const full = UNIT_TYPES.test(name) ? name : `${name}.service`;
  const base = full.slice(0, full.lastIndexOf('.'));
  if (base === '' || base.startsWith('@') || base.indexOf('@') === base.length - 1) return null;
  return full.length <= MAX_LENGTH ? full : null;
}
