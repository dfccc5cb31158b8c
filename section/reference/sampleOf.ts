import type { JsonSchema } from '../../lib/json/JsonSchema';

/** What texts look like, by what the field's name ends with. Names and addresses are those kept for examples. */
const TEXTS: readonly (readonly [name: RegExp, sample: string])[] = [
  [/(?:^|_)(?:domain|common_name|host|hostname|sans|aliases)$/, 'example.com'],
  [/(?:^|_)(?:email|address|forward_to)$/, 'info@example.com'],
  [/(?:^|_)(?:ip|ip_addresses|client_ip)$/, '192.0.2.7'],
  [/(?:^|_)version$/, '1.0'],
  [/(?:^|_)timezone$/, 'Europe/Berlin'],
  [/(?:^|_)schedule$/, '15 3 * * *'],
  [/(?:^|_)command$/, '/usr/bin/backup --password=***'],
];

/** A value that fits the schema, made of nothing that this server holds. */
export function sampleOf(schema: JsonSchema, name = ''): unknown {
  const { examples, properties, items } = schema;
  if ('const' in schema) return schema.const;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'object') return sampleObject((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  if (type === 'array') return [sampleOf((items ?? {}) as JsonSchema, name)];
  if (type === 'integer') return name.endsWith('_bytes') ? 1_048_576 : 1;
  if (type === 'number') return 12.5;
  if (type === 'boolean') return true;
  if (schema.format === 'date-time') return '2026-06-12T00:00:00+00:00';
  return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example';
}

function sampleObject(properties: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, name)]),
  );
}
