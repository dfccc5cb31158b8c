import { object, required, text } from '../fields';

/** The panel as it names itself in the options. */
export const panelField = required(
  object('The panel.', {
    name: required(text('Name of the panel.')),
    version: required(text('Version of the panel.')),
  }),
);
