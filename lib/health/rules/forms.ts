import type { TextForm } from '../../fields';
import type { Rule } from './Rule';

/** Some fields have values of a certain form. They are texts, so that no example shows one. */
const ruleOf = (code: TextForm['code']): Rule => ({
  code,
  testsOf: ({ field: { form } }) => {
    if (form?.code !== code) return [];
    return [
      ({ value }) => {
        const texts = [value].flat().filter((text) => typeof text === 'string' && text !== '');
        return texts.length === 0 ? null : !texts.every((text) => form.has(String(text).trim()));
      },
    ];
  },
  say: ({ field: { form, kind } }) => [
    `is no ${form?.name}`,
    kind === 'list'
      ? 'choose another column, or its `separator`'
      : 'choose another column, or compose it from `columns`',
  ],
});

export const FORM_RULES: readonly Rule[] = ['schedule', 'address', 'domain_name'].map(ruleOf);
