const { formatTable } = require('../../report');

const aims = { ratio: 1, megabytes: 64, p99: 20, pageRatio: 2, countRatio: 1.2, orderRatio: 1.5 };

/** The whole report as text. */
function formatReport({ node, database, rounds, lists, largest, failures }) {
  const { others, pages, orders, counts } = largest;
  return [
    `Node ${node}, MariaDB ${database}, medians of ${rounds} rounds.`,
    ...section('Whole lists, rows per second (aim: ratio at least 1)', throughputLines(lists)),
    ...section(
      'Memory above the warm, idle process in one such read, MiB (aim: ours below 64)',
      memoryLines(lists),
    ),
    ...section(
      `me.php while another client reads ${sizeOf(largest)}, ms (aim: p99 of ours below 20)`,
      otherLines(others),
    ),
    ...section(`Pages of 100 of ${sizeOf(largest)}, ms (aim: ratio at most 2)`, pageLines(pages)),
    ...section(
      `Orders of ${sizeOf(largest)}, pages of 100, ms (aim: ratio to the first page at most 1.5)`,
      orderLines(orders),
    ),
    ...section(`count=status of ${sizeOf(largest)}, ms (aim: ratio at most 1.2)`, countLines(counts)),
    ...(failures > 0 ? ['', `${failures} could not be measured.`] : []),
  ].join('\n');
}

const section = (title, lines) => ['', title, '', ...lines.map((line) => `  ${line}`)];

function throughputLines(lists) {
  return linesOf(
    ['list', 'rows', 'naive', 'ours', 'ratio', ''],
    lists,
    ({ throughput }) => throughput,
    ({ name, rows }, { naive, ours, ratio }) => [
      name,
      whole(rows),
      whole(naive.rowsPerSecond),
      whole(ours.rowsPerSecond),
      ratio.toFixed(2),
      verdict(ratio >= aims.ratio),
    ],
  );
}

function memoryLines(lists) {
  return linesOf(
    ['list', 'rows', 'naive', 'ours', ''],
    lists,
    ({ memory }) => memory,
    ({ name, rows }, { naive, ours }) => [
      name,
      whole(rows),
      megabytes(naive.above).toFixed(1),
      megabytes(ours.above).toFixed(1),
      verdict(megabytes(ours.above) < aims.megabytes),
    ],
  );
}

/** A table with a line per list, followed by the reasons why some lists have none. */
function linesOf(head, lists, partOf, cellsOf) {
  const measured = lists.filter((list) => !partOf(list).failure);
  const failed = lists.filter((list) => partOf(list).failure);
  return [
    ...(measured.length > 0
      ? formatTable([head, ...measured.map((list) => cellsOf(list, partOf(list)))])
      : []),
    ...failed.map((list) => `${list.name}: not measured. ${partOf(list).failure}`),
  ];
}

function otherLines({ failure, naive, ours }) {
  if (failure) return [`Not measured. ${failure}`];
  const line = (name, { p50, p99, max }, last = '') => [name, ...[p50, p99, max].map(milliseconds), last];
  return formatTable([
    ['', 'p50', 'p99', 'max', ''],
    line('ours', ours.whileReading, verdict(ours.whileReading.p99 < aims.p99)),
    line('ours, at rest', ours.quiet),
    line('naive', naive.whileReading),
    line('naive, at rest', naive.quiet),
    line('event loop of ours', ours.loopDelay),
    line('event loop of naive', naive.loopDelay),
  ]);
}

function pageLines({ failure, refusal, medians, ratio, filter, filterRefusal }) {
  if (failure) return [`Not measured. ${failure}`];
  if (refusal) return [`Not measured: ${refusal}.`];
  return [
    ...formatTable([
      ...Object.entries(medians).map(([page, time]) => [
        page === 'filtered' ? `first of ${filter}` : page,
        milliseconds(time),
      ]),
      ['largest / smallest of the first three', ratio.toFixed(2)],
    ]),
    verdict(ratio <= aims.pageRatio),
    ...(filterRefusal ? [`${filter} was not measured: ${filterRefusal}.`] : []),
  ];
}

function countLines({ failure, naive, ours, ratio }) {
  if (failure) return [`Not measured. ${failure}`];
  return formatTable([
    ['bare GROUP BY', milliseconds(naive)],
    ['ours', milliseconds(ours)],
    ['ratio', ratio.toFixed(2), verdict(ratio <= aims.countRatio)],
  ]);
}

function orderLines({ failure, medians, ratio }) {
  if (failure) return [`Not measured. ${failure}`];
  return [
    ...formatTable([
      ...Object.entries(medians).map(([page, time]) => [page, milliseconds(time)]),
      ['largest / first by key', ratio.toFixed(2)],
    ]),
    verdict(ratio <= aims.orderRatio),
  ];
}

const sizeOf = ({ name, rows }) => `${whole(rows)} rows of ${name}`;
const whole = (number) => Math.round(number).toLocaleString('en');
const megabytes = (bytes) => bytes / 2 ** 20;
const milliseconds = (number) => number.toFixed(number < 10 ? 2 : 0);
const verdict = (reached) => (reached ? 'reached' : 'missed');

module.exports = { formatReport };
