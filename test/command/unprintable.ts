/** What must never reach a terminal; line ends are no part of it. */
export const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
