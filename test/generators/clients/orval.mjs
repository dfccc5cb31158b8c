import { callAll } from './callAll.mjs';
import * as calls from './orval/calls';
import * as schemas from './orval/schemas';

const options = { headers: { Authorization: `Bearer ${process.env.TOKEN}` } };

const parsers = new Map(Object.entries(schemas));

/** Calls a function, which takes only the options if the endpoint has no parameters, and checks the answer with zod. */
const checked = (name, call) => async (query) => {
  const { data } = await (call.length === 1 ? call(options) : call(query, options));
  return parsers.get(`${name}Response`).parse(data);
};

const found = Object.entries(calls).filter(([name]) => /^(?:get|list)[A-Z].*(?<!Url)$/.test(name));
await callAll(Object.fromEntries(found.map(([name, call]) => [name, checked(name, call)])));
