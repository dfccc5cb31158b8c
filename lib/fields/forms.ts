import { isIP } from 'node:net';
import type { Field, TextForm } from './Field';

/** Of names without a dot, only that of this machine. */
const DOMAIN = /^(?:localhost|(?:\*\.)?(?:[\p{L}\p{M}\p{N}_-]+\.)+(?=[^.]*\p{L})[\p{L}\p{M}\p{N}-]+)$/iu;
const EMAIL = /^[^\s@,;|]*@[^\s@,;|]+$/;

const isDomain = (text: string) => DOMAIN.test(text);
const isAddress = (text: string) => isIP(text) > 0;

const DOMAIN_NAME: TextForm = {
  code: 'domain_name',
  name: 'domain name alone',
  has: isDomain,
  isDomain: true,
};

/** Returns a function that declares that the texts of a field have this form. */
export const inForm =
  (form: TextForm) =>
  <F extends Field>(field: F): F => ({ ...field, form });

export const domainName = inForm(DOMAIN_NAME);

/** A certificate may be for addresses, too. */
export const certificateName = inForm({ ...DOMAIN_NAME, has: (text) => isDomain(text) || isAddress(text) });

export const ipAddress = inForm({ code: 'address', name: 'IP address', has: isAddress });

/** That of a catch-all begins with the `@`. */
export const emailAddress = inForm({
  code: 'address',
  name: 'email address',
  has: (text) => EMAIL.test(text),
  isDomain: true,
});
