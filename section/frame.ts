import type { LayoutParts } from './ApiSectionOptions';
import { html, trusted } from './html/html';
import type { Section } from './Section';

/** The section's own frame, for panels that give none. */
export function frame({ options, installation }: Section): (parts: LayoutParts) => string {
  const panelName = options.panelName ?? installation.options.panel.name;
  return ({ title, head, content, actor }) =>
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - API - ${panelName}</title>
${trusted(head)}
</head>
<body class="api-section-frame">
<a class="skip" href="#api-section-main">Skip to the content</a>
<header>
<p class="panel">${options.back === undefined ? panelName : html`<a href="${options.back}">${panelName}</a>`}</p>
${actor === '' ? null : html`<p class="actor">Signed in as ${actor}</p>`}
</header>
${trusted(content)}
</body>
</html>
`.text;
}
