import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { operations } from '../../routes';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';
import { until } from '../fixture/until';
import { before30 } from './openapi30';

const { runCommand } = require('../runCommand') as {
  runCommand(program: string, args: readonly string[], options: object): Promise<string>;
};
const { folder, jars, newtonsoft } = require('./tools') as {
  readonly folder: string;
  readonly jars: readonly string[];
  readonly newtonsoft: string;
};

/** Where the generators find the document, and write. It is below the packages that the clients import. */
const work = join(folder, 'work');
const tool = (name: string) => join(folder, 'node_modules', '.bin', name);
const generator = join(folder, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
const typescript = join(__dirname, '../../node_modules/.bin/tsc');
const resources = operations.map(({ name }) => name).toSorted();

describe('The OpenAPI document of a panel', () => {
  let full: FullPanel;
  let paths: Readonly<Record<string, { readonly get: { readonly responses: Responses } }>>;

  const run = (program: string, ...args: readonly string[]) =>
    runCommand(program, args, { cwd: work, env: { URL: full.panel.url, TOKEN: full.token } });

  /** The resources that a client prints, one a line. */
  const printed = async (program: string, ...args: readonly string[]) =>
    (await run(program, ...args)).trim().split('\n').toSorted();

  beforeAll(async () => {
    full = await startFullPanel('sqlite');
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    cpSync(join(__dirname, 'clients'), work, { recursive: true });
    const { document } = (await full.panel.get('/api/v1/openapi.php', full.token)).body.data;
    paths = document.paths;
    const described = { ...document, servers: [{ url: full.panel.url }] };
    writeFileSync(join(work, 'openapi.json'), JSON.stringify(described));
    writeFileSync(join(work, 'before30.json'), JSON.stringify(before30(described)));
    await run(tool('openapi-down-convert'), '--allOf', '-i', 'before30.json', '-o', 'openapi30.json');
  });

  const generate = (language: string, ...options: readonly string[]) =>
    run(
      'java',
      '-jar',
      generator,
      'generate',
      '-i',
      'openapi30.json',
      '-g',
      language,
      '-o',
      language,
      ...options,
    );

  const sources = (path: string, end: string) =>
    readdirSync(join(work, path), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(end))
      .map((name) => join(path, name));

  test('becomes a client in Java with openapi-generator, which calls every endpoint', async () => {
    await generate('java', '--library', 'native', '--additional-properties', 'openApiNullable=false');
    const files = ['java/src/main', 'java/Calls.java', 'java/com', 'java/io'].flatMap((path) =>
      path.endsWith('.java') ? [path] : sources(path, '.java'),
    );
    await run('javac', '-nowarn', '-d', 'classes', '-cp', jars.join(':'), ...files);
    expect(await printed('java', '-cp', ['classes', ...jars].join(':'), 'Calls')).toEqual(resources);
  });

  test('becomes a client in Python with openapi-generator, which calls every endpoint', async () => {
    await generate('python');
    expect(await printed('env', 'PYTHONPATH=python', '/usr/bin/python3', 'calls.py')).toEqual(resources);
  });

  test('becomes models in C# with openapi-generator, which read every answer', async () => {
    await generate('csharp-netcore');
    const code = 'csharp-netcore/src/Org.OpenAPITools';
    const files = [...sources(`${code}/Model`, '.cs'), `${code}/Client/OpenAPIDateConverter.cs`, 'Calls.cs'];
    const assemblies = ['System.ComponentModel.DataAnnotations', 'System.Runtime.Serialization'];
    const references = [...assemblies, 'Microsoft.CSharp', newtonsoft].map((one) => `-r:${one}`);
    await run('mcs', '-warn:0', '-out:Calls.exe', ...references, ...files);
    cpSync(newtonsoft, join(work, 'Newtonsoft.Json.dll'));
    const answers = Object.entries(paths).flatMap(([path, { get }]) => [path, answerOf(get.responses)]);
    expect(await printed('mono', 'Calls.exe', ...answers)).toEqual(resources);
  });

  test.each([
    ['hey-api', 'openapi-ts', ['-f', './hey-api.config.mjs'], 'hey-api/index.ts'],
    ['orval', 'orval', ['--config', './orval.config.cjs'], 'orval/calls.ts orval/schemas.ts'],
    ['kubb', 'kubb', ['generate', '--config', './kubb.config.mjs'], 'kubb/index.ts'],
  ])(
    'becomes a client in TypeScript with %s, which calls every endpoint and checks answers with zod',
    async (name, program, args, files) => {
      await run(tool(program), ...args);
      const options =
        '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
      const more = '--allowImportingTsExtensions --lib es2023,dom,dom.iterable --types node';
      await run(typescript, '--ignoreConfig', ...`${options} ${more} ${files}`.split(' '));
      const bundle = `${name}.bundle.mjs`;
      await run(
        tool('esbuild'),
        `${name}.mjs`,
        '--bundle',
        '--platform=node',
        '--format=esm',
        `--outfile=${bundle}`,
      );
      expect(await printed(process.execPath, bundle)).toEqual(resources);
    },
  );

  test('gives types of hey-api the names of the schemas, and none of them a number', async () => {
    const types = readFileSync(join(work, 'hey-api/types.gen.ts'), 'utf8');
    const names = [...types.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['Domain', 'DomainsAnswer', 'MeAnswer', 'ApiError']));
    expect(names.filter((one) => one === 'Error' || /\D2$/.test(one ?? ''))).toEqual([]);
  });

  test('passes the answers of every endpoint through Prism, with and without fields', async () => {
    const port = await freePort();
    const prism = spawn(
      tool('prism'),
      ['proxy', 'openapi.json', full.panel.url, '--errors', '-p', String(port)],
      { cwd: work },
    );
    try {
      await until(async () => isListening(port));
      const headers = { Authorization: `Bearer ${full.token}` };
      for (const { name, kind } of operations) {
        for (const query of kind === 'list' ? ['', '?fields=', '?limit=1&fields='] : ['']) {
          const fields = query.endsWith('=') ? (name === 'settings' ? 'key' : 'id') : '';
          const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${name}.php${query}${fields}`, {
            headers,
          });
          const { data, ...rest } = (await answer.json()) as {
            readonly data?: { readonly resource: string };
          };
          expect([name, query, answer.status, data?.resource ?? rest]).toEqual([name, query, 200, name]);
          expect(answer.headers.get('sl-violations')).toBeNull();
        }
      }
    } finally {
      await ended(prism);
    }
  });

  test('is a collection of Postman in which every request is answered', async () => {
    const [...lines] = await printed(process.execPath, 'postman.mjs');
    expect(lines).toEqual(resources.map((name) => `/api/v1/${name}.php 200`));
  });
});

interface Responses {
  readonly 200: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
  };
}

/** The name of the schema of an answer. */
function answerOf(responses: Responses): string {
  return responses[200].content['application/json'].schema.$ref.split('/').at(-1) ?? '';
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

function ended(child: ChildProcess): Promise<unknown> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill();
  return closed;
}
