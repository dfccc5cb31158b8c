import { callAll } from './callAll.mjs';
import * as clients from './kubb/clients';

const config = { headers: { Authorization: `Bearer ${process.env.TOKEN}` } };

/** A function takes headers and the configuration, after the query if the endpoint has parameters of it. */
const configured = (call) => (query) =>
  call.length === 1 ? call(undefined, config) : call(query, undefined, config);

await callAll(Object.fromEntries(Object.entries(clients).map(([name, call]) => [name, configured(call)])));
