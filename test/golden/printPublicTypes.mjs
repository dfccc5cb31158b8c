import { dirname } from 'node:path';
import {
  API,
  ModifierFlags,
  NodeBuilderFlags,
  ObjectFlags,
  SignatureKind,
  SymbolFlags,
  TypeFlags,
} from 'typescript/unstable/sync';

// Prints the types that a user of the package sees, as the compiler resolves them: every name that the entry exports,
// with the members of internal types written out in place. So the text depends on no file, no comment and no internal
// type name, and changes only if the public face changes. `(as A.b|2)` is a shape that is printed already: the second
// member of the union at property b of A. A class that is not exported is printed as its name alone.

const CHECK_FLAG_READONLY = 8;
/** A shape of more characters is printed once; every other place names the place where it is printed. */
const LONGEST_REPEATED = 110;
/** An object of more characters has a line for each property. */
const LONGEST_LINE = 240;
/** A table with a row for every sentence of the section: only its name is printed. */
const TABLES = new Set(['SectionTexts']);

// `node printPublicTypes.mjs <tsconfig.json> <file>`
const [config, entry] = process.argv.slice(2);
const api = new API({ cwd: dirname(config) });
const project = api.updateSnapshot({ openProject: config }).getProject(config);
const { program, checker } = project;

const exported = new Map();
for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))) {
  const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const specifier = symbol.declarations[0].resolve(project);
  exported.set(target.id, {
    name: symbol.name,
    symbol: target,
    asType: specifier.parent?.parent?.isTypeOnly === true,
  });
}
const publicTypes = new Map();
for (const { name, symbol } of exported.values()) {
  if (!(symbol.flags & SymbolFlags.Type)) continue;
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  if (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) publicTypes.set(type.id, name);
}
/** Types of a generic alias, such as SourcePart<"domains">, each printed once. */
const instances = new Map();
const printedAt = new Map();
const fullTexts = new Map();

function main() {
  const sections = [];
  for (const entry of [...exported.values()].sort((a, b) => compare(a.name, b.name))) {
    if (!isGenericAlias(entry.symbol)) sections.push(sectionOf(entry));
  }
  for (const [name, type] of instances) {
    sections.push(`type ${name} = ${print(type, { path: name, head: true })}`);
  }
  process.stdout.write(`${sections.join('\n\n')}\n`);
}

function sectionOf({ name, symbol, asType }) {
  if (symbol.flags & SymbolFlags.Function) {
    const [signature] = signatures(checker.getTypeOfSymbol(symbol), SignatureKind.Call);
    return `function ${name}${printSignature(signature, ': ', { path: name })}`;
  }
  if (TABLES.has(name)) return `type ${name} = (a table)`;
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const text = print(type, { path: name, head: true });
  if (!(symbol.flags & SymbolFlags.Class)) return `type ${name}${generics(symbol)} = ${text}`;
  const bases = type.getBaseTypes().map((base) => ` extends ${print(base, { path: name })}`);
  if (asType) return `class ${name}${bases.join('')} ${text}, without its constructor`;
  const created = signatures(checker.getTypeOfSymbol(symbol), SignatureKind.Construct);
  const constructors = created.map((one) => `new ${name}${printSignature(one, ': ', { path: name })}`);
  return [`class ${name}${bases.join('')} ${text}`, ...constructors].join('\n');
}

/** The parameters of a generic interface, as they are declared. */
function generics(symbol) {
  const parameters = symbol.declarations[0].resolve(project).typeParameters ?? [];
  return parameters.length === 0 ? '' : `<${parameters.map((parameter) => parameter.getText()).join(', ')}>`;
}

function isGenericAlias(symbol) {
  if (!(symbol.flags & SymbolFlags.TypeAlias)) return false;
  return checker.getDeclaredTypeOfSymbol(symbol).getAliasTypeArguments().length > 0;
}

/** `head`: the type's own section, which prints members instead of the name. `full`: nothing refers to another place. */
function print(type, place) {
  if (type.flags & TypeFlags.Boolean) return 'boolean';
  const name = place.head ? undefined : publicName(type, place);
  if (name) return name;
  const below = { ...place, head: false, stack: [...(place.stack ?? []), type.id] };
  if (place.stack?.includes(type.id)) return '(itself)';
  if (type.flags & TypeFlags.Union) {
    const [only, ...others] = presentParts(type);
    return others.length === 0 ? print(only, below) : repeated(type, below, printUnion);
  }
  if (isMissing(type)) return 'never';
  if (type.flags & TypeFlags.Intersection)
    return type
      .getTypes()
      .map((one) => print(one, below))
      .join(' & ');
  if (type.flags & TypeFlags.Object) return printObject(type, below, place.head);
  return checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
}

function publicName(type, place) {
  if (publicTypes.has(type.id)) return publicTypes.get(type.id);
  const alias = type.getAliasSymbol();
  const entry = alias && exported.get(alias.id);
  if (!entry) return undefined;
  const given = type.getAliasTypeArguments();
  if (given.length === 0) return entry.name;
  const name = `${entry.name}<${given.map((one) => print(one, place)).join(', ')}>`;
  if (!given.some((one) => one.flags & TypeFlags.TypeParameter) && !instances.has(name))
    instances.set(name, type);
  return name;
}

function printUnion(type, place) {
  const parts = presentParts(type);
  const booleans = parts.filter((part) => part.flags & TypeFlags.BooleanLiteral);
  const others = booleans.length === 2 ? parts.filter((part) => !booleans.includes(part)) : parts;
  const keyed = others.map((part) => ({ part, key: print(part, { ...place, full: true }) }));
  keyed.sort((a, b) => isEmpty(a.part) - isEmpty(b.part) || compare(a.key, b.key));
  const texts = keyed.map(({ part }, index) => {
    const path = part.flags & TypeFlags.Object ? `${place.path}|${index + 1}` : place.path;
    return bracketed(part, print(part, { ...place, path }));
  });
  if (booleans.length === 2) texts.unshift('boolean');
  return texts.join(' | ');
}

function isEmpty(type) {
  return Number((type.flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0);
}

function bracketed(part, text) {
  const isFunction = part.flags & TypeFlags.Object && signatures(part, SignatureKind.Call).length > 0;
  return isFunction ? `(${text})` : text;
}

function printObject(type, place, head) {
  if (type.objectFlags & ObjectFlags.Reference) {
    if (checker.isTupleType(type)) {
      return `${type.getTarget().readonly ? 'readonly ' : ''}[${args(type, place).join(', ')}]`;
    }
    if (checker.isArrayType(type)) {
      const readonly = type.getSymbol().name === 'ReadonlyArray' ? 'readonly ' : '';
      const [element] = args(type, place);
      return `${readonly}${/[ |&]/.test(element) ? `(${element})` : element}[]`;
    }
  }
  const symbol = type.getSymbol();
  if (symbol && !symbol.name.startsWith('__') && !head) {
    const entry = exported.get(symbol.id);
    if (entry || isExternal(symbol) || symbol.flags & SymbolFlags.Class) {
      const given = type.objectFlags & ObjectFlags.Reference ? args(type, place) : [];
      const name = entry?.name ?? qualified(symbol);
      return given.length > 0 ? `${name}<${given.join(', ')}>` : name;
    }
  }
  return head ? printMembers(type, place, true) : repeated(type, place, printMembers);
}

/** Names the place where a long shape is printed already, else prints it. */
function repeated(type, place, printer) {
  if (place.full) {
    if (!fullTexts.has(type.id)) fullTexts.set(type.id, printer(type, place));
    return fullTexts.get(type.id);
  }
  const text = printer(type, { ...place, full: true });
  if (text.length <= LONGEST_REPEATED) return text;
  if (printedAt.has(text)) return `(as ${printedAt.get(text)})`;
  printedAt.set(text, place.path);
  return printer(type, place);
}

function printMembers(type, place, isHead = false) {
  const calls = signatures(type, SignatureKind.Call);
  // What a class inherits from Error is not the module's.
  const isClass = type.getSymbol()?.flags & SymbolFlags.Class;
  const properties = checker
    .getPropertiesOfType(type)
    .filter((property) => isVisible(property) && !(isClass && isExternal(property)));
  const indexes = checker.getIndexInfosOfType(type);
  if (properties.length === 0 && indexes.length === 0) {
    if (calls.length === 1) return printSignature(calls[0], ' => ', place);
    if (type.objectFlags & ObjectFlags.Mapped)
      return checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
  }
  const lines = [
    ...calls.map((call) => printSignature(call, ': ', place)),
    ...indexes.map(
      ({ isReadonly, keyType, valueType }) =>
        `${isReadonly ? 'readonly ' : ''}[key: ${print(keyType, place)}]: ${print(valueType, place)}`,
    ),
    ...printProperties(
      properties.sort((a, b) => compare(a.name, b.name)),
      place,
    ),
  ];
  if (lines.length === 0) return '{}';
  const line = `{ ${lines.join('; ')} }`;
  const isShort = line.length <= LONGEST_LINE && !line.includes('\n') && !isHead;
  return isShort ? line : `{\n${lines.map((one) => `  ${one.replaceAll('\n', '\n  ')};`).join('\n')}\n}`;
}

/** Prints properties of the same type on one line, and a method on one of its own. */
function printProperties(properties, place) {
  const names = new Map();
  for (const property of properties) {
    const [name, signature] = printProperty(property, { ...place, path: `${place.path}.${property.name}` });
    names.set(signature, [...(names.get(signature) ?? []), name]);
  }
  return [...names].map(([signature, all]) => all.join(', ') + signature);
}

/** Returns its name, and its type or signature. */
function printProperty(property, place) {
  const type = checker.getTypeOfSymbol(property);
  const optional = (property.flags & SymbolFlags.Optional) !== 0;
  const name = /^[A-Za-z_]\w*$/.test(property.name) ? property.name : JSON.stringify(property.name);
  if (property.flags & SymbolFlags.Method && !optional) {
    const all = signatures(type, SignatureKind.Call).map(
      (one) => `${name}${printSignature(one, ': ', place)}`,
    );
    return ['', all.join('; ')];
  }
  return [
    `${isReadonly(property) ? 'readonly ' : ''}${name}${optional ? '?' : ''}`,
    `: ${print(type, place)}`,
  ];
}

function presentParts(union) {
  return union.getTypes().filter((part) => !isMissing(part));
}

/** Under exactOptionalPropertyTypes the type of an optional property has a member of its own that says "missing". */
function isMissing(type) {
  return (type.flags & TypeFlags.Undefined) !== 0 && type.id !== checker.getUndefinedType().id;
}

function printSignature(signature, arrow, place) {
  const parameterTypes = signature.getTypeParameters().map((parameter) => {
    const constraint = checker.getConstraintOfTypeParameter(parameter);
    const name = checker.typeToString(parameter);
    return constraint ? `${name} extends ${print(constraint, place)}` : name;
  });
  const parameters = signature.getParameters().map((parameter, index, all) => {
    const node = parameter.valueDeclaration?.resolve(project);
    const optional = node?.questionToken || node?.initializer ? '?' : '';
    const rest = signature.hasRestParameter && index === all.length - 1 ? '...' : '';
    const name = parameter.name.startsWith('__') ? `argument${index}` : parameter.name;
    const text = print(checker.getTypeOfSymbol(parameter), place);
    return `${rest}${name}${optional}: ${optional ? text.replace(/ \| undefined$/, '') : text}`;
  });
  const returned = print(checker.getReturnTypeOfSignature(signature), place);
  return `${parameterTypes.length > 0 ? `<${parameterTypes.join(', ')}>` : ''}(${parameters.join(', ')})${arrow}${returned}`;
}

function args(type, place) {
  return checker.getTypeArguments(type).map((one) => print(one, place));
}

function signatures(type, kind) {
  return checker.getSignaturesOfType(type, kind);
}

function isVisible(property) {
  if (property.name.includes('#') || isInternal(property)) return false;
  return !(modifiers(property) & (ModifierFlags.Private | ModifierFlags.Protected));
}

/** Whether the compiler leaves it out of the declarations that it writes. */
function isInternal(property) {
  return (
    property.valueDeclaration?.resolve(project)?.getFullText().split('*/')[0].includes('@internal') ?? false
  );
}

function isReadonly(property) {
  if (property.checkFlags & CHECK_FLAG_READONLY || modifiers(property) & ModifierFlags.Readonly) return true;
  return (property.flags & SymbolFlags.GetAccessor) !== 0 && !(property.flags & SymbolFlags.SetAccessor);
}

function modifiers(property) {
  return property.valueDeclaration?.resolve(project)?.modifierFlags ?? 0;
}

function isExternal(symbol) {
  return symbol.declarations.every(
    ({ path }) => path.includes('/node_modules/') || path.includes('bundled:'),
  );
}

function qualified(symbol) {
  const parent = symbol.getParent();
  const inNamespace = parent && parent.flags & SymbolFlags.Namespace && !/^"|^__/.test(parent.name);
  return inNamespace ? `${parent.name}.${symbol.name}` : symbol.name;
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}

try {
  main();
} finally {
  api.close();
}
