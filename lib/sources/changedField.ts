/** The field by which a client asks for what was changed. */
export const CHANGED = 'updated_at';
