import { API_PATH, type Operation } from '../lib/fields/Operation';
import clients from './clients.json';
import { code, type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/** The name of the MCP server among what is mounted beside the API. */
export const MCP = 'mcp';

/** The address of the MCP server; null if it is not mounted. */
export function mcpUrl({ parts, apiUrl }: SectionRequest): string | null {
  const path = parts.mounts.get(MCP);
  return path === undefined ? null : apiUrl.slice(0, -API_PATH.length) + path;
}

/**
 * What a person pastes into each client that sends a static header: lines for a file, or a command if there is none. None
 * contains a token: it is in the variable PANEL_TOKEN.
 */
export function clientLines(url: string) {
  return clients.map(({ lines, ...client }) => {
    const text = typeof lines === 'string' ? lines : JSON.stringify(lines, null, 2);
    return { ...client, lines: text.replaceAll('{url}', url) };
  });
}

/** The lines of each client of the MCP server at this address, with a button that copies them. */
export function assistantLines(request: SectionRequest, url: string): Html {
  return html`<p>${request.words('assistants.clients.hint', { url: code(url), variable: code('PANEL_TOKEN') })}</p>
<div class="tabs" role="group" aria-label="${request.text('assistants.clients')}">${clientLines(url).map(
    (
      { id, client, file, lines },
      index,
    ) => html`<label><input type="radio" name="client"${index === 0 && html` checked`}> ${client}</label>
<div>${copyableLines(request, id, file === null ? request.text('assistants.command') : request.words('assistants.file', { file: code(file) }), lines)}</div>`,
  )}</div>`;
}

/** A program that reads this endpoint with the module's client. */
export function programLines(request: SectionRequest, { name, kind }: Operation): Html {
  const baseUrl = request.apiUrl.slice(0, -API_PATH.length);
  const method = name.replace(/-./, ([, letter = '']) => letter.toUpperCase());
  const read =
    kind === 'list'
      ? `for await (const item of client.${method}()) console.log(item);`
      : `console.log(await client.${method}());`;
  const lines = `import { createClient } from 'koa-panel-api/client';

const client = createClient({ baseUrl: '${baseUrl}', token: process.env.PANEL_TOKEN });
${read}`;
  const install = code('npm install --omit=peer koa-panel-api');
  const hint = request.words('created.program.hint', { install, variable: code('PANEL_TOKEN') });
  return copyableLines(request, 'program', hint, lines);
}

function copyableLines(request: SectionRequest, id: string, hint: Html | string, lines: string): Html {
  return html`<p>${hint} <button type="button" data-copy="${id}" data-copied="${request.text('frame.copied')}" hidden>${request.text('created.copy')}</button></p>
<pre tabindex="0"><code id="${id}">${lines}</code></pre>`;
}
