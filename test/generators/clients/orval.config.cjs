const input = { target: './openapi.json' };
const override = { zod: { dateTimeOptions: { offset: true } } };

module.exports = {
  calls: { input, output: { target: './orval/calls.ts', client: 'fetch', baseUrl: process.env.URL } },
  schemas: { input, output: { target: './orval/schemas.ts', client: 'zod', override } },
};
