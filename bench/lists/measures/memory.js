const { readFileSync, writeFileSync } = require('node:fs');

/** Makes the kernel forget how much memory the process once had; from here on it notes the peak anew. */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

const residentBytes = (pid) => statusBytes(pid, 'VmRSS');

/** The kernel's own note, so that no peak falls between two looks. */
const peakBytes = (pid) => statusBytes(pid, 'VmHWM');

function statusBytes(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)[1]) * 1024;
}

module.exports = { forgetPeak, peakBytes, residentBytes };
