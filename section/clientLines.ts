const json = (value: object) => JSON.stringify(value, null, 2);

/**
 * What an administrator pastes into each client that sends a static header: lines for a file, or a command if there is
 * none. None contains a token: it is in the variable PANEL_TOKEN.
 */
export function clientLines(url: string) {
  const header = (token: string) => ({ Authorization: `Bearer ${token}` });
  const input = {
    type: 'promptString',
    id: 'panel-token',
    description: 'Token of the panel',
    password: true,
  };
  return [
    {
      id: 'claude-code',
      client: 'Claude Code',
      file: null,
      lines: `claude mcp add --transport http panel ${url} --header 'Authorization: Bearer \${PANEL_TOKEN}'`,
    },
    {
      id: 'cursor',
      client: 'Cursor',
      file: '.cursor/mcp.json',
      lines: json({ mcpServers: { panel: { url, headers: header(`\${env:PANEL_TOKEN}`) } } }),
    },
    {
      id: 'vs-code',
      client: 'VS Code',
      file: '.vscode/mcp.json',
      lines: json({
        inputs: [input],
        servers: { panel: { type: 'http', url, headers: header(`\${input:${input.id}}`) } },
      }),
    },
    {
      id: 'codex',
      client: 'Codex',
      file: '~/.codex/config.toml',
      lines: `[mcp_servers.panel]\nurl = "${url}"\nbearer_token_env_var = "PANEL_TOKEN"`,
    },
    {
      id: 'gemini-cli',
      client: 'Gemini CLI',
      file: '~/.gemini/settings.json',
      lines: json({ mcpServers: { panel: { httpUrl: url, headers: header('$PANEL_TOKEN') } } }),
    },
  ];
}
