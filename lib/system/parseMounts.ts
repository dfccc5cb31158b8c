export interface Mount {
  device: string;
  mount: string;
  fstype: string | null;
}

/** The rows of /proc/self/mounts in their order (man 5 fstab); blanks in names come as octal escapes. */
export function parseMounts(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    const [device, mount, fstype] = line.split(' ').map(decodeOctal);
    if (device && mount && fstype) mounts.push({ device, mount, fstype });
  }
  return mounts;
}

function decodeOctal(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
