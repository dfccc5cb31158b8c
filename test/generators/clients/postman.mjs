import { readFileSync } from 'node:fs';
import newman from 'newman';
import { convertV2 } from 'openapi-to-postmanv2';

/** Imports the document as Postman does, runs the collection, and prints the path and status of every request. */
const input = { type: 'string', data: readFileSync('openapi.json', 'utf8') };
convertV2(input, { enableOptionalParameters: false }, (error, { result, reason, output }) => {
  if (error || !result) throw error ?? new Error(reason);
  const envVar = [{ key: 'bearerToken', value: process.env.TOKEN }];
  newman.run({ collection: output[0].data, envVar }, (failure, summary) => {
    if (failure) throw failure;
    for (const { request, response } of summary.run.executions)
      console.log(request.url.getPath(), response?.code);
  });
});
