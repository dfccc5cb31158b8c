import type { JsonSchema } from '../json/json';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Sample texts by the end of the field's name. Domains and addresses are those reserved for examples. */
const TEXTS: readonly (readonly [name: RegExp, sample: string])[] = [
  [/(?:^|_)(?:domain|common_name|sans)$/, 'example.com'],
  [/^(?:aliases|hostname|host)$/, 'www.example.com'],
  [/^nameservers$/, 'ns1.example.com'],
  [/^(?:email|address|forward_to)$/, 'info@example.com'],
  [/(?:^|_)ips?$|^ip_addresses$/, '192.0.2.7'],
  [/^(?:username|users?|system_user|run_as|owner)$/, 'example'],
  [/^api_version$/, 'v1'],
  [/(?:^|_)version$/, '1.0'],
  [/^prefix$/, 'pnl_example'],
  [/^scopes?$/, 'domains.read'],
  [/^path$/, '/api/v1/domains.php'],
  [/^timezone$/, 'Europe/Berlin'],
  [/^schedule$/, '15 3 * * *'],
  [/^command$/, '/usr/bin/backup --password=…'],
  [/^document_root$/, '/var/www/example.com'],
  [/^file_name$/, 'example.com.tar.gz'],
  [/^mount$/, '/'],
];

/** Fields that are usually empty. */
const EMPTY = /(?:^|_)(?:reason|error|detail|cursor)$/;

/** Returns a sample value that matches the schema, the same in every call. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const { examples, properties, items } = schema;
  const types = [schema.type].flat();
  if ('const' in schema) return schema.const;
  if (types.includes('null') && EMPTY.test(name)) return null;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (types[0]) {
    case 'object': {
      const samples = Object.entries((properties ?? {}) as Properties);
      return Object.fromEntries(samples.map(([key, property]) => [key, exampleOf(property, key)]));
    }
    case 'array':
      return [exampleOf((items ?? {}) as JsonSchema, name)];
    case 'integer':
      return name.endsWith('_bytes') ? 1_048_576 : 1;
    case 'number':
      return 12.5;
    case 'boolean':
      return true;
    default:
      return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example';
  }
}
