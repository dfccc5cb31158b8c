/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;

/** Returns a line for each operation, parameter, response and property of an OpenAPI document: its name and signature. */
export function openapiLines({
  paths,
  components,
  ...rest
}: Readonly<Record<string, Part>>): readonly string[] {
  return [
    ...Object.entries(rest).map(([name, part]) => `${name} ${signature(part)}`),
    ...Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Part>>>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).flatMap(([method, operation]) =>
          operationLines(`${method.toUpperCase()} ${path}`, operation),
        ),
    ),
    ...Object.entries(components as Readonly<Record<string, Part>>).flatMap(([kind, named]) =>
      Object.entries(named).flatMap(([name, part]) => schemaLines(`${kind}/${name}`, part as Part)),
    ),
  ];
}

function operationLines(name: string, { parameters, responses, ...operation }: Part): readonly string[] {
  return [
    `${name} ${signature(operation)}`,
    ...(parameters as readonly Part[]).map((parameter) => `${name} parameter ${signature(parameter)}`),
    ...Object.entries(responses as Part).map(([code, response]) => `${name} ${code} ${signature(response)}`),
  ];
}

/** The lines of a schema and of the properties of its objects. A name ends with `!` if the property is required. */
function schemaLines(name: string, { properties, required, items, ...schema }: Part): readonly string[] {
  const isList = typeof items === 'object' && items !== null && 'properties' in items;
  return [
    `${name} ${signature(isList ? schema : { ...schema, items })}`,
    ...(isList ? schemaLines(`${name}[]`, items as Part) : []),
    ...Object.entries((properties ?? {}) as Part).flatMap(([property, part]) => {
      const mark = (required as readonly string[] | undefined)?.includes(property) ? '!' : '';
      return schemaLines(`${name}.${property}${mark}`, part as Part);
    }),
  ];
}

/** A part as JSON, without its descriptions and examples of whole answers. */
function signature(part: unknown): string {
  const isText = (key: string, value: unknown) =>
    ['description', 'summary'].includes(key) && typeof value === 'string';
  const json = JSON.stringify(part, (key, value) =>
    key === 'example' || isText(key, value) ? undefined : (value as unknown),
  );
  return json.replaceAll('#/components/', '');
}
