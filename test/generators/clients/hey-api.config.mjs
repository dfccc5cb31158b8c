export default {
  input: './openapi.json',
  output: './hey-api',
  plugins: [
    '@hey-api/client-fetch',
    '@hey-api/typescript',
    { name: 'zod', dates: { offset: true } },
    { name: '@hey-api/sdk', validator: { response: 'zod' } },
  ],
};
