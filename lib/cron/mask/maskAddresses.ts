import { isSecretName } from './isSecretName';
import { MASK } from './mask';

const USER_INFO = /(:\/\/[^\s/?#"'`@:]*:)[^\s/?#"'`]+@/g;
const BARE_USER_INFO = /(?<![\w.%+/@:-])((?!mailto:)[\w.%+-]+:)[^\s/@:"'`]+@(?=[\w-])/g;
const PARAMETER = /([?&;#])([\w.[\]-]+)=[^&\s"'`#;|<>()]+/g;
/** Addresses whose path is the secret. */
const SECRET_PATH =
  /((?:hooks\.slack\.com\/|webhook\.office\.com\/|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot))[^\s"'`\\/][^\s"'`\\]*/g;

/** Without one of these there is nothing of the kind, and one look tells it. */
const ANY = /[@?&;#]|\.(?:com|org)\//;

/** The secrets masked in addresses: passwords before the host, query parameters, the paths of webhooks. */
export function maskAddresses(text: string): string {
  if (!ANY.test(text)) return text;
  return text
    .replace(USER_INFO, `$1${MASK}@`)
    .replace(BARE_USER_INFO, `$1${MASK}@`)
    .replace(SECRET_PATH, `$1${MASK}`)
    .replace(PARAMETER, (all, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${MASK}` : all,
    );
}
