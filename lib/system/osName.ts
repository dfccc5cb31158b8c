import os from 'node:os';

/**
 * The operating system's name for people, such as `Debian GNU/Linux 12 (bookworm)`: PRETTY_NAME of an os-release
 * file's text (man 5 os-release), else the kernel's name.
 */
export function osName(osRelease: string | null): string {
  const line = osRelease?.match(/^PRETTY_NAME=(.*)$/m)?.[1]?.trim() ?? '';
  const name = line.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(["'$`\\])/g, '$1');
  return name || os.type();
}
