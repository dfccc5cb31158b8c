import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { builtCommand } from '../servers/builtCommand';

const folder = join(dirname(builtCommand()), '..', 'client');

/** The names of the web platform that the client may use. */
const PLATFORM = { URL, AbortController, DOMException, TextDecoder, setTimeout, clearTimeout };

test('the built client runs with nothing of Node, and with no file outside its folder', async () => {
  const data = { resource: 'jobs', items: [{ id: 1 }] };
  const fetch = async () => new Response(JSON.stringify({ success: true, data }));
  const context = createContext({ ...PLATFORM, fetch });
  const load = (name: string): Record<string, CallableFunction> => {
    if (!/^\.\/\w+$/.test(name)) throw new Error(`${name} is outside of the folder.`);
    const code = readFileSync(join(folder, `${name}.js`), 'utf8');
    const module = { exports: {} };
    runInContext(`(function (module, exports, require) {${code}\n})`, context)(module, module.exports, load);
    return module.exports;
  };
  const client = load('./index').createClient?.({ baseUrl: 'https://panel.example', token: 'x' });
  expect(await client.jobs.get(1)).toEqual({ id: 1 });
  expect(await client.sync('jobs', new Map())).toMatchObject({ created: 1, complete: true });
});
