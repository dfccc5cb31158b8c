export function unprivilegedIdentity(user: string): Promise<{ uid: number; gid: number } | undefined>;
