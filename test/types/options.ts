import type { Sources } from '../../index';

// What a panel developer may write. Each line below an expectation must not compile; the type check sees to it.

export const right: Sources = {
  domains: {
    table: 'web_domain',
    fields: { id: 'domain_id', status: { column: 'active', values: { y: 'active' } } },
  },
  services: { units: [{ unit: 'nginx' }] },
  settings: { keys: ['panel.name'] },
  cron: false,
};

// @ts-expect-error: there is no such resource.
export const misspeltResource: Sources = { domain: false };

// @ts-expect-error: domains have no such field.
export const misspeltField: Sources = { domains: { fields: { domian: 'name' } } };

// @ts-expect-error: only services come from units.
export const unitsElsewhere: Sources = { domains: { units: [] } };

// @ts-expect-error: only settings have an allow-list.
export const keysElsewhere: Sources = { domains: { keys: ['a'] } };

// @ts-expect-error: one object has no source.
export const objectResource: Sources = { health: false };
