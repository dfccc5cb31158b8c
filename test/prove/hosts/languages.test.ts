import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../runCommand';
import { runDirectory, serverUrl } from '../../servers/serverUrl';
import { nodeVersions, withDatabase } from '../../steps/checkHost';
import { installNodes } from '../../steps/installNodes';
import { createHost, packOnce } from '../../steps/packedModule';
import { figure } from '../figure';
import { isWhole } from '../scale';

const BESIDES = ['knex@3.3.0', 'mysql2@3.24.5'];
/** The oldest TypeScript that reads the declarations, and the newest. */
const TYPESCRIPTS = ['5.0.4', '7.0.2'];
const JESTS = ['29.7.0', '30.5.2'];

/** How a host compiles: settings of the compiler, and the file that is written for them. */
const MODULES: Readonly<Record<string, readonly [settings: object, file: string]>> = {
  'module commonjs without esModuleInterop': [{ module: 'commonjs' }, 'typesRequire.cts'],
  'module commonjs': [{ module: 'commonjs', esModuleInterop: true }, 'types.ts'],
  'module node16': [{ module: 'node16' }, 'types.ts'],
  'module nodenext': [{ module: 'nodenext' }, 'types.ts'],
  'module esnext with a bundler': [{ module: 'esnext', moduleResolution: 'bundler' }, 'types.ts'],
};

/** The type declarations that belong to each line of Koa. */
const KOAS = { '2.16.4': '2.15.2', '3.3.0': '3.0.3' };

const tarball = () => packOnce(join(runDirectory(), 'packed'));

describe.each(Object.entries(KOAS))('A strict TypeScript host on Koa %s with @types/koa %s', (koa, types) => {
  const folder = join(runDirectory(), `types-${koa}`);
  let compiled = 0;

  beforeAll(async () => {
    await createHost(folder, {
      files: ['types.ts', 'typesRequire.cts'],
      packages: [
        await tarball(),
        ...BESIDES,
        `koa@${koa}`,
        `@types/koa@${types}`,
        '@types/node@20.19.43',
        'winston@3.19.0',
        ...TYPESCRIPTS.map((version) => `typescript-${version}@npm:typescript@${version}`),
      ],
    });
  });

  afterAll(() => figure(`compilations with @types/koa ${types}`, compiled));

  test.each(isWhole ? TYPESCRIPTS : TYPESCRIPTS.slice(-1))(
    'compiles with TypeScript %s in every kind of module',
    async (version) => {
      const manifest = require(join(folder, 'node_modules', `typescript-${version}`, 'package.json'));
      const compiler = join(folder, 'node_modules', `typescript-${version}`, manifest.bin.tsc);
      const compile = async (name: string, [settings, file]: readonly [object, string]) => {
        const compilerOptions = {
          noEmit: true,
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          target: 'es2022',
          ...settings,
        };
        const project = join(folder, `${version} ${name}.json`);
        writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
        await runCommand(process.execPath, [compiler, '--project', project], { cwd: folder });
        compiled += 1;
      };
      // The oldest takes seconds for each kind, so it compiles every other one with the types of each line of Koa.
      const half = Object.keys(KOAS).indexOf(koa);
      const kinds = Object.entries(MODULES).filter(
        (_kind, index) => version === TYPESCRIPTS.at(-1) || index % 2 === half,
      );
      while (kinds.length > 0)
        await Promise.all(kinds.splice(0, 2).map(([name, module]) => compile(name, module)));
    },
  );
});

describe('A host that is tested by Jest', () => {
  const folder = join(runDirectory(), 'jest');
  let nodes: Awaited<ReturnType<typeof installNodes>>;

  beforeAll(async () => {
    nodes = await installNodes(nodeVersions, folder);
    await createHost(folder, {
      files: ['jest'],
      packages: [
        await tarball(),
        ...BESIDES,
        'koa@3.3.0',
        ...JESTS.map((version) => `jest-${version}@npm:jest@${version}`),
      ],
    });
  });

  const runs = (isWhole ? nodeVersions : nodeVersions.slice(-1)).flatMap((node) =>
    JESTS.map((version) => [node, version] as const),
  );

  test.each(runs)('mounts the package on Node %s in Jest %s', async (version, jest) => {
    const node = nodes[nodeVersions.indexOf(version)];
    const args = ['--experimental-vm-modules', join('node_modules', `jest-${jest}`, 'bin', 'jest.js')];
    const config = { testMatch: ['**/*.test.?js'], transform: {}, testEnvironment: 'node' };
    await withDatabase(await serverUrl('mariadb'), (url: string) =>
      runCommand(node!.path, [...args, '--ci', '--config', JSON.stringify(config)], {
        cwd: folder,
        env: { PANEL_API_DATABASE_URL: url, NODE_OPTIONS: '' },
        // Jest waits for everything that is left open.
        minutes: 1,
      }),
    );
  });
});
