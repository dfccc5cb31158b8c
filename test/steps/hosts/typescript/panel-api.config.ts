import { db } from './database';

// @ts-expect-error: it is no syntax that Node strips.
enum Panel {
  Name = 'Panel in TypeScript',
}

export default { db, panel: { name: Panel.Name } };
