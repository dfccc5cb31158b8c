/** Replaces each hidden part. The shown parts are printable ASCII. */
export const HIDDEN = '…';

/** Returns the words of a text, separated by one space. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const FILE_NAME =
  /.\.(?:asp|aspx|bz2|cer|cgi|conf|crt|csv|cnf|dump|env|exe|gpg|gz|html?|ini|jar|js|json|key|lock|log|mjs|pem|phar|php\d?|phtml|pid|pl|py|rb|service|sh|sock|sql|tar|tgz|timer|ts|txt|xml|xz|ya?ml|zip|zst)$/;
/** First folders by which a text with slashes is known to be a path; a password may contain slashes too. */
const ROOTS = wordSet(
  '. .. ~ $HOME app apps backup backups bin boot current data dev etc export home htdocs httpdocs lib lib64 media ' +
    'mnt modules nfs opt proc public public_html root run sbin scripts snap srv storage sys tmp tools usr var vendor ' +
    'vhosts volume1 web webroot wp-content www',
);
/** Words that may be shown after a subcommand, and as folders in a URL without a file. */
const COMMON_WORDS = wordSet(
  'admin add all api app apply archive artisan assets autoclean autoremove backup build cache cat check clean ' +
    'cleanup clear cleanuser collect compact compose config console copy core create cron daily database db delete ' +
    'deploy disable down dump enable event events exec export fetch files flush forget full generate hooks hourly ' +
    'import index indexer info init install job jobs list logs mail maintenance make media messenger migrate monthly ' +
    'nightly optimize ping plugin prune public pull purge push queue rebuild refresh reindex reload remove renew ' +
    'repair report reports restart restore rotate run scan schedule scheduled scheduler script search send service ' +
    'services sitemap snapshot start stats status stop store sync system task tasks theme transient trigger up update ' +
    'upgrade verify warmup webhook webhooks weekly work worker wp-json',
);

const SHAPES = [
  /^(?:\d{1,8}|\d{14})$/, // numbers and dates
  /^(?:[A-Z]{1,12}|[A-Z]{0,4}[a-z]+(?:[A-Z][a-z]+)*)\d{0,4}$/, // words
  /^[a-z]{1,3}\d{5,9}$/, // names of accounts
  /^(?=.{3,12}$)(?:[a-z]+\d{1,3}[a-z]+|\d{1,4}[a-z]+)$/, // s3cmd, sha256sum, 7z
];

/** Whether a text of letters, digits and marks contains no part that looks random. */
export function isPlain(text: string): boolean {
  if (text.length > 80) return false;
  return (text.match(/[A-Za-z0-9]+/g) ?? []).every((run) => {
    const capitals = run.match(/[A-Z]/g)?.length ?? 0;
    const many = run.length >= 8 && capitals < run.length && capitals * 3 > run.length;
    return (
      !many && !/[bcdfghjklmnpqrstvwxz]{7}|[a-z]{16}/i.test(run) && SHAPES.some((shape) => shape.test(run))
    );
  });
}

/** Whether all parts of a text such as `cache:clear` are common words. */
export function isCommon(text: string): boolean {
  return COMMON_WORDS.has(text) || text.split(/[:/_-]/).every((word) => COMMON_WORDS.has(word));
}

/** Returns a path up to the first part that looks random; null if the text may be no path, unless it is `certain`. */
export function shownPath(text: string, certain = false): string | null {
  const segments = text.split('/');
  const absolute = segments[0] === '' && segments.length > 1;
  const rooted = segments.length > 1 && ROOTS.has(segments[absolute ? 1 : 0]!);
  if (!certain && !rooted && !FILE_NAME.test(segments.at(-1)!)) return null;
  const isShown = (segment: string, index: number) =>
    (/^[\w.~*…-]*$/.test(segment) || (index === 0 && segment === '$HOME')) && isPlain(segment);
  if (!absolute && !rooted && !segments.every(isShown)) return null;
  return upToHidden(segments, isShown);
}

/** Joins the segments up to the first that is hidden: the rest may belong to a secret with slashes. */
function upToHidden(segments: readonly string[], isShown: (segment: string, index: number) => boolean) {
  const hidden = segments.findIndex((segment, index) => !isShown(segment, index));
  return (hidden < 0 ? segments : [...segments.slice(0, hidden), HIDDEN]).join('/');
}

const ADDRESS =
  /^((?:https?|ftps?|sftp|s3|gs|rsync|mysql|mariadb|postgres(?:ql)?|mongodb(?:\+srv)?|rediss?|amqps?|smtps?|imaps?|ldaps?):\/\/)([^/?#]*)([^?#]*)([\s\S]*)$/i;

/** Returns the scheme, host and plain path of a URL; null if the text is no URL. */
export function shownUrl(text: string): string | null {
  const [, scheme, authority = '', path = '', rest = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined) return null;
  const [, host = '', port = ''] =
    /^([a-z0-9.-]*)(:\d{1,5})?$/i.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  const isHost = host.includes('.') || host === 'localhost' || (host !== '' && /^(?:s3|gs):/i.test(scheme));
  // If an @ follows the host, the apparent host is a part of a password.
  if (!isHost || path.includes('@') || (path === '' && rest.includes('@'))) return scheme + HIDDEN;
  const labels = host.split('.').map((label) => (isPlain(label) ? label : HIDDEN));
  const user = authority.includes('@') ? `${HIDDEN}@` : '';
  return (
    scheme + user + labels.join('.') + port + shownUrlPath(path) + (rest.length > 1 ? rest[0] + HIDDEN : rest)
  );
}

function shownUrlPath(path: string): string {
  if (FILE_NAME.test(path)) return shownPath(path, true) ?? `/${HIDDEN}`;
  return upToHidden(path.split('/'), (name) => name === '' || isCommon(name) || /^v\d$/.test(name));
}
