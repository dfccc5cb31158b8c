import { isIP } from 'node:net';
import type { Rule } from './Rule';

const SCHEDULE =
  /^(?:@(?:reboot|hourly|daily|midnight|weekly|monthly|yearly|annually)|@every \d+[smhd]|(?:[\d*,/a-z-]+\s+){4}[\d*,/a-z-]+)$/i;
const EMAIL = /^[^\s@,;|]*@[^\s@,;|]+$/;
/** Of names without a dot, only that of this machine. */
const DOMAIN =
  /^(?:localhost|(?:\*\.)?(?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}-]*\p{L}[\p{L}\p{M}\p{N}-]*)$/iu;

type Form = readonly [code: string, fields: RegExp, has: (text: string) => boolean, name: string];

const FORMS: readonly Form[] = [
  [
    'schedule',
    /^schedule$/,
    (text) => SCHEDULE.test(text),
    'schedule of five fields or nickname such as @daily',
  ],
  ['address', /^ip_addresses$/, (text) => isIP(text) > 0, 'IP address'],
  ['address', /^(?:address|forward_to)$/, (text) => EMAIL.test(text), 'email address'],
  [
    'domain_name',
    /^(?:domain|primary_domain|common_name|aliases|nameservers)$/,
    (text) => DOMAIN.test(text),
    'domain name alone',
  ],
  ['domain_name', /^sans$/, (text) => DOMAIN.test(text) || isIP(text) > 0, 'domain name alone'],
];

/** Some fields have values of a certain form. They are texts, so that no example shows one. */
const ruleOf = ([code, fields, has, form]: Form): Rule => ({
  code,
  testsOf: ({ name }) => {
    if (!fields.test(name)) return [];
    return [
      ({ value }) => {
        const texts = [value].flat().filter((text) => typeof text === 'string' && text !== '');
        return texts.length === 0 ? null : !texts.every((text) => has(String(text).trim()));
      },
    ];
  },
  say: ({ field: { kind } }) => [
    `is no ${form}`,
    kind === 'list'
      ? 'choose another column, or its `separator`'
      : 'choose another column, or compose it from `columns`',
  ],
});

export const FORM_RULES: readonly Rule[] = FORMS.map(ruleOf);
