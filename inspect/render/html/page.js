// SPDX-License-Identifier: BSD-3-Clause
//
// The table of calls and queues: filters, which stand in the fragment of the address, too, and rows that are made as
// they are looked at. Texts come from the application: they only ever become texts of the page.
'use strict';
(() => {
  const STEP = 200;
  const LONGEST = 60;
  const data = JSON.parse(document.getElementById('data').textContent);
  const COLUMNS = [
    ['Ranks', 'ranks'], ['What', 'what'], ['Function', 'function'], ['Details', 'details'], ['Peer', 'peer'], ['Tag', 'number'],
    ['Communicator', 'communicator'], ['Status', 'status'], ['Age', 'number'], ['Place', 'place']];
  const WHAT = 0, FUNCTION = 1, DETAILS = 2, PEER = 3, TAG = 4, COMMUNICATOR = 5, STATUS = 6, PLACE = 7;
  const FIRST_CELL = 3; // after ranks, repeats and age
  const form = document.getElementById('filters');
  const table = document.getElementById('rows');
  const body = table.tBodies[0];
  const more = document.getElementById('more');
  const count = document.getElementById('count');
  const number = new Intl.NumberFormat('en');

  const cell = (row, which) => data.texts[row[FIRST_CELL + which]];

  // "0,4-7,10-30:2" as [[first, last, stride], ...]; null: it is none.
  function parseRanks(text) {
    const ranges = [];
    for (const part of text.split(',')) {
      const match = /^\s*(\d+)(?:\s*-\s*(\d+)(?:\s*:\s*(\d+))?)?\s*$/.exec(part);
      if (!match)
        return null;
      const first = Number(match[1]);
      const last = match[2] === undefined ? first : Number(match[2]);
      ranges.push([first, last, Math.max(1, Number(match[3] ?? 1))]);
    }
    return ranges;
  }

  function rangesMeet([first, last, stride], [otherFirst, otherLast, otherStride]) {
    const from = Math.max(first, otherFirst), to = Math.min(last, otherLast);
    if (stride === 1 && otherStride === 1)
      return from <= to;
    for (let rank = first + Math.max(0, Math.ceil((from - first) / stride)) * stride; rank <= to; rank += stride)
      if ((rank - otherFirst) % otherStride === 0)
        return true;
    return false;
  }

  const ranksOf = data.rows.map(row => parseRanks(row[0]) ?? []);

  function fillSelect(name, which) {
    const found = new Set(data.rows.map(row => cell(row, which)));
    found.delete('');
    const select = form.elements[name];
    select.append(new Option('all', ''));
    for (const text of [...found].sort())
      select.append(new Option(text, text));
  }

  function makeHead() {
    const row = table.tHead.insertRow();
    for (const [title, style] of COLUMNS) {
      const head = document.createElement('th');
      head.scope = 'col';
      head.className = style === 'number' ? style : '';
      head.textContent = title;
      row.append(head);
    }
  }

  // Long lists of ranks are cut at a comma.
  function shortRanks(text) {
    return text.length <= LONGEST ? text : `${text.slice(0, text.lastIndexOf(',', LONGEST))}, ...`;
  }

  function makeRow(row) {
    const line = document.createElement('tr');
    const repeats = row[1] > 1 ? ` \u00d7 ${number.format(row[1])}` : '';
    const texts = [shortRanks(row[0]), cell(row, WHAT) + repeats, cell(row, FUNCTION), cell(row, DETAILS), cell(row, PEER), cell(row, TAG),
      cell(row, COMMUNICATOR), cell(row, STATUS), data.texts[row[2]], cell(row, PLACE)];
    texts.forEach((text, i) => {
      const place = line.insertCell();
      place.className = COLUMNS[i][1] + (i === 1 && cell(row, WHAT) === 'unexpected' ? ' unexpected' : '');
      place.textContent = text;
    });
    if (row[0].length > LONGEST)
      line.cells[0].title = row[0];
    return line;
  }

  let shown = [];
  let made = 0;

  // `problem`: of what is typed, '': none.
  function tell(problem) {
    const rows = shown.length === data.rows.length ? `${number.format(shown.length)} rows`
      : `${number.format(shown.length)} of ${number.format(data.rows.length)} rows`;
    const left = data.left_out > 0 ? `; ${number.format(data.left_out)} more rows are not on this page` : '';
    const ranks = ` of ${number.format(data.size)} ranks; equal ranks in one row`;
    count.textContent = problem === '' ? rows + ranks + left : problem;
  }

  function makeMore() {
    const lines = document.createDocumentFragment();
    for (const end = Math.min(shown.length, made + STEP); made < end; made++)
      lines.append(makeRow(shown[made]));
    body.append(lines);
    more.hidden = made === shown.length;
    more.textContent = `${number.format(shown.length - made)} more rows`;
  }

  function filter() {
    const wanted = name => form.elements[name].value.trim();
    const rankText = wanted('rank');
    const ranks = rankText === '' ? null : parseRanks(rankText);
    const isWrong = rankText !== '' && ranks === null;
    form.elements.rank.setAttribute('aria-invalid', isWrong);
    const exact = [['what', WHAT], ['function', FUNCTION], ['communicator', COMMUNICATOR], ['tag', TAG]]
      .filter(([name]) => wanted(name) !== '').map(([name, which]) => [which, wanted(name)]);
    const text = wanted('text').toLowerCase();
    shown = data.rows.filter((row, i) =>
      (ranks === null || ranks.some(range => ranksOf[i].some(other => rangesMeet(other, range))))
      && exact.every(([which, value]) => cell(row, which) === value)
      && (text === '' || row.slice(FIRST_CELL).some(index => data.texts[index].toLowerCase().includes(text))));
    body.replaceChildren();
    made = 0;
    makeMore();
    tell(isWrong ? 'Ranks are written as 0,4-7; all are shown' : '');
  }

  const names = ['rank', 'what', 'function', 'communicator', 'tag', 'text'];

  function readFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (location.hash !== '' && !names.some(name => wanted.has(name)))
      return;
    for (const name of names)
      form.elements[name].value = wanted.get(name) ?? '';
    filter();
  }

  function writeFragment() {
    const wanted = new URLSearchParams();
    for (const name of names)
      if (form.elements[name].value.trim() !== '')
        wanted.set(name, form.elements[name].value.trim());
    history.replaceState(null, '', `#${wanted.toString()}`);
    filter();
  }

  function chooseRanks(ranks) {
    form.elements.rank.value = ranks;
    writeFragment();
    form.scrollIntoView();
    form.elements.rank.focus({preventScroll: true});
  }

  function prepareGraph() {
    data.nodes.forEach((ranks, i) => {
      const node = document.getElementById(`node${i}`);
      if (node === null)
        return;
      node.setAttribute('tabindex', '0');
      node.setAttribute('role', 'button');
      node.setAttribute('aria-label', [...node.querySelectorAll('text')].map(text => text.textContent).join(' '));
      node.addEventListener('click', () => chooseRanks(ranks));
      node.addEventListener('keydown', event => {
        if (event.key !== 'Enter' && event.key !== ' ')
          return;
        event.preventDefault();
        chooseRanks(ranks);
      });
    });
  }

  // Paper shows what a click would.
  function unfoldForPrint() {
    const folded = document.querySelectorAll('.finding details:not([open])');
    window.addEventListener('beforeprint', () => folded.forEach(details => { details.open = true; }));
    window.addEventListener('afterprint', () => folded.forEach(details => { details.open = false; }));
  }

  makeHead();
  fillSelect('what', WHAT);
  fillSelect('function', FUNCTION);
  fillSelect('communicator', COMMUNICATOR);
  form.addEventListener('input', writeFragment);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(writeFragment));
  more.addEventListener('click', makeMore);
  window.addEventListener('hashchange', () => { readFragment(); form.scrollIntoView(); });
  new IntersectionObserver(entries => {
    if (entries.some(entry => entry.isIntersecting) && !more.hidden)
      makeMore();
  }, {rootMargin: '200px'}).observe(more);
  prepareGraph();
  unfoldForPrint();
  form.hidden = false;
  table.hidden = false;
  readFragment();
})();
