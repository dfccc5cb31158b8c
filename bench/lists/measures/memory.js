const { readFileSync, writeFileSync } = require('node:fs');

/** Resets the kernel's record of the process's peak memory. */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

const residentBytes = (pid) => statusBytes(pid, 'VmRSS');

/** The kernel's record of the peak, so that none is missed between two measurements. */
const peakBytes = (pid) => statusBytes(pid, 'VmHWM');

function statusBytes(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)[1]) * 1024;
}

module.exports = { forgetPeak, peakBytes, residentBytes };
