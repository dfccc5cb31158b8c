import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';
import { columnNames } from './columnNames';

/** Whether a table of this name is there, as the session sees it. */
export async function tableExists(session: Session, dialect: Dialect, name: string): Promise<boolean> {
  return (await columnNames(session, dialect, name)).length > 0;
}
