const { createClient, PanelApiError } = require('koa-panel-api/client');

/** Prints a domain, and the code of a refusal. */
async function main() {
  const client = createClient({ baseUrl: process.env.PANEL_URL, token: process.env.TOKEN });
  for await (const { domain } of client.domains({ status: 'active' })) console.log(domain);
  await client.domains.page({ limit: 0 }).catch((error) => {
    console.log(error instanceof PanelApiError ? error.code : error);
  });
}

void main();
