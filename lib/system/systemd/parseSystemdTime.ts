const CALENDAR = /^(?:[A-Z][a-z]{2} )?(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? UTC$/;
const UNIX = /^@(\d{1,11})(?:\.\d+)?$/;

/**
 * A time as systemctl prints it in UTC, in seconds since 1970: `Fri 2026-06-12 00:00:00 UTC`, or
 * `@1781222400` with `--timestamp=unix`, which systemd before 249 lacks. Null for "never" and anything else.
 */
export function parseSystemdTime(text: string): number | null {
  const calendar = CALENDAR.exec(text);
  const seconds = calendar
    ? Date.parse(`${calendar[1]}T${calendar[2]}Z`) / 1000
    : Number(UNIX.exec(text)?.[1]);
  return seconds > 0 ? seconds : null;
}
