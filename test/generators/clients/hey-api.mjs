import { callAll } from './callAll.mjs';
import { client } from './hey-api/client.gen';
import * as sdk from './hey-api/sdk.gen';

client.setConfig({ baseUrl: process.env.URL, auth: process.env.TOKEN, throwOnError: true });

const calls = Object.entries(sdk).map(([name, call]) => [
  name,
  async (query) => (await call({ query })).data,
]);
await callAll(Object.fromEntries(calls));
