import { isKeyFile } from './isKeyFile';
import { isSecretName } from './isSecretName';
import { MASK } from './mask';

const ASSIGNMENT = /^(-{0,2}[A-Za-z_][\w.[\]-]*)(\+?=)([\s\S]+)$/;
const HEADER = /^(?:-H)?([A-Za-z][\w-]*):(\s*)(?:(?:basic|bearer|digest|negotiate|token)\s+)?(?=\S)/i;
const FORM = /^[\w.[\]-]+=[^&]*(?:&[\w.[\]-]+=[^&]*)+$/;
const HEADER_FLAG = /^(?:-[A-Za-z]*H|--(?:proxy-)?header)$/;

/**
 * One argument as a program gets it with the secret in it masked, where it is `name=value` (flags and variables
 * alike) or a header `Name: value`; null where it is neither, or no secret's name.
 *
 * @param previous the argument before it: after `-H` a header needs no blank
 * @param nesting how many assignments may stand in one another, as in `--env=API_KEY=…`
 */
export function maskArgument(argument: string, previous: string, nesting = 2): string | null {
  const [, name, equals, value] = ASSIGNMENT.exec(argument) ?? [];
  if (name && equals && value) {
    if (isSecretName(name)) return isKeyFile(name, value) ? null : name + equals + MASK;
    if (FORM.test(argument)) return maskForm(argument);
    const inner = nesting > 0 ? maskArgument(value, name, nesting - 1) : null;
    return inner === null ? null : name + equals + inner;
  }
  const [visible, header, blank] = HEADER.exec(argument) ?? [];
  // Without a blank `auth:clear-resets` is the name of a task.
  const isHeader = header && (blank || visible?.startsWith('-H') || HEADER_FLAG.test(previous));
  return isHeader && isSecretName(header) ? visible + MASK : null;
}

/** `user=bob&password=two words`, as curl sends it; null where no field of it is secret. */
function maskForm(form: string): string | null {
  const masked = form
    .split('&')
    .map((field) => {
      const name = field.slice(0, field.indexOf('='));
      return isSecretName(name) ? `${name}=${MASK}` : field;
    })
    .join('&');
  return masked === form ? null : masked;
}
