import { isIP } from 'node:net';
import type { FindingCode } from '../../sources/findings';
import type { CheckedField, Rule } from './Rule';

/** A form that the values of some fields have. Their values are texts, which may be confidential: none is shown. */
interface Form {
  readonly code: FindingCode;
  readonly fields: RegExp;
  readonly has: (text: string) => boolean;
  readonly say: string;
  readonly advice: string;
}

const SCHEDULE =
  /^(?:@(?:reboot|hourly|daily|midnight|weekly|monthly|yearly|annually)|@every \d+[smhd]|(?:[\d*,/a-z-]+\s+){4}[\d*,/a-z-]+)$/i;
const ADDRESS = /^[^\s@,;|]*@[^\s@,;|]+$/;
/** Names of this machine have no dot. */
const DOMAIN =
  /^(?:localhost|(?:\*\.)?(?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}-]*\p{L}[\p{L}\p{M}\p{N}-]*)$/iu;

const FORMS: readonly Form[] = [
  {
    code: 'schedule',
    fields: /^schedule$/,
    has: (text) => SCHEDULE.test(text),
    say: 'is no schedule',
    advice: 'write five fields with a space between them, such as `0 4 * * *`, or a nickname such as @daily',
  },
  {
    code: 'address',
    fields: /^ip_addresses$/,
    has: (text) => isIP(text) > 0,
    say: 'has a member that is no IP address',
    advice: 'choose a column of addresses, and its `separator`',
  },
  {
    code: 'address',
    fields: /^(?:address|forward_to)$/,
    has: (text) => ADDRESS.test(text),
    say: 'has a value that is no email address',
    advice: 'join the local part, @ and the domain, and choose the `separator` of a list',
  },
  {
    code: 'domain_name',
    fields: /^(?:domain|primary_domain|common_name|aliases|nameservers)$/,
    has: (text) => DOMAIN.test(text),
    say: 'has a value that is no domain name',
    advice: 'choose the column of the name alone, without a scheme, a path or a dot at the end',
  },
  {
    code: 'domain_name',
    fields: /^sans$/,
    has: (text) => DOMAIN.test(text) || isIP(text) > 0,
    say: 'has a member that is no domain name',
    advice: 'choose a column of names, and its `separator`',
  },
];

const ruleOf = ({ code, fields, has, say, advice }: Form): Rule => ({
  code,
  testOf: ({ name, field: { kind } }: CheckedField) =>
    fields.test(name) && (kind === 'text' || kind === 'list')
      ? [
          ({ value }) => {
            const texts = [value].flat().filter((text) => typeof text === 'string' && text !== '');
            return texts.length === 0 ? null : !texts.every((text) => has(String(text).trim()));
          },
        ]
      : [],
  say: () => [say, advice],
});

export const FORM_RULES: readonly Rule[] = FORMS.map(ruleOf);
