// SPDX-License-Identifier: BSD-3-Clause
//
// The strip of ranks, which filters all that is below it, and the table of calls and queues: filters, which stand in the
// fragment of the address, too, and rows that are made as they are looked at; buttons that copy. Texts come from the application: they only ever become texts of the page.
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
    row.setAttribute('role', 'row');
    for (const [title, style] of COLUMNS) {
      const head = document.createElement('th');
      head.scope = 'col';
      head.setAttribute('role', 'columnheader');
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
    line.setAttribute('role', 'row');
    const repeats = row[1] > 1 ? ` \u00d7 ${number.format(row[1])}` : '';
    const texts = [shortRanks(row[0]), cell(row, WHAT) + repeats, cell(row, FUNCTION), cell(row, DETAILS), cell(row, PEER), cell(row, TAG),
      cell(row, COMMUNICATOR), cell(row, STATUS), data.texts[row[2]], cell(row, PLACE)];
    texts.forEach((text, i) => {
      const place = line.insertCell();
      place.className = COLUMNS[i][1] + (i === 1 && cell(row, WHAT) === 'unexpected' ? ' unexpected' : '');
      place.setAttribute('role', 'cell');
      place.dataset.label = COLUMNS[i][0];
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
    showChosen(ranks, rankText);
    tell(isWrong ? 'Ranks are written as 0,4-7; all are shown' : '');
  }

  // What is there for some ranks only: findings, stacks, nodes of the graph.
  const parts = [...document.querySelectorAll('[data-ranks]')].map(element => [element, parseRanks(element.dataset.ranks) ?? []]);
  const findings = [...document.querySelectorAll('.finding[data-ranks]')];
  const isChosen = (ranks, its) => ranks === null || its.some(one => ranks.some(range => rangesMeet(one, range)));

  function showChosen(ranks, text) {
    for (const [element, its] of parts)
      element.classList.toggle('other', !isChosen(ranks, its));
    document.getElementById('elsewhere').hidden = findings.length === 0 || findings.some(finding => !finding.classList.contains('other'));
    const chosen = document.getElementById('chosen');
    if (chosen === null)
      return;
    chosen.hidden = ranks === null;
    chosen.firstElementChild.textContent = ranks === null ? '' : /^\d+$/.test(text) ? `Below: ${tellRank(Number(text))}` : `Below: ranks ${shortRanks(text)}`;
    drawVeil(ranks);
  }

  // The strip: [first rank, what it does] of each run, and a cell for each rank.
  const strip = document.getElementById('strip');
  const runs = [];
  let stripEnd = 0;
  for (const [, length, what] of data.strip.runs.matchAll(/(\d*)(!?.)/g)) {
    runs.push([stripEnd, what]);
    stripEnd += length === '' ? 1 : Number(length);
  }
  let cursor = 0;

  function tellRank(rank) {
    let low = 0, high = runs.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (runs[middle][0] <= rank)
        low = middle;
      else
        high = middle;
    }
    return rank < stripEnd ? `rank ${rank}: ${data.strip.meanings[runs[low][1]]}` : `rank ${rank}`;
  }

  function makeShape(name, className) {
    const shape = document.createElementNS('http://www.w3.org/2000/svg', name);
    shape.setAttribute('class', className);
    strip.append(shape);
    return shape;
  }

  const cellsOf = (first, count) => `M${first % data.strip.columns} ${Math.floor(first / data.strip.columns)}h${count}v1h-${count}z`;

  // Over the cells of all ranks that are not chosen.
  function drawVeil(ranks) {
    if (strip === null)
      return;
    const veil = strip.querySelector('.veil') ?? makeShape('path', 'veil');
    const {width, height} = strip.viewBox.baseVal;
    let holes = '';
    for (const [first, last, stride] of ranks ?? [])
      for (let rank = first; rank <= Math.min(last, stripEnd - 1);) {
        const rowEnd = rank - rank % data.strip.columns + data.strip.columns;
        const count = stride > 1 ? 1 : Math.min(rowEnd, last + 1, stripEnd) - rank;
        holes += cellsOf(rank, count);
        rank += Math.max(stride, count);
      }
    veil.setAttribute('d', ranks === null ? '' : `M0 0h${width}v${height}h-${width}z${holes}`);
  }

  function moveCursor(rank) {
    cursor = Math.max(0, Math.min(stripEnd - 1, rank));
    (strip.querySelector('.cursor') ?? makeShape('path', 'cursor')).setAttribute('d', cellsOf(cursor, 1));
    strip.setAttribute('aria-valuenow', cursor);
    strip.setAttribute('aria-valuetext', tellRank(cursor));
  }

  function choose(ranks) {
    form.elements.rank.value = ranks;
    writeFragment();
  }

  // A slider: its value is a rank, and what that does is its text.
  function prepareStrip() {
    const columns = data.strip.columns;
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -8 * columns, PageDown: 8 * columns,
      Home: -stripEnd, End: stripEnd};
    strip.setAttribute('role', 'slider');
    strip.setAttribute('aria-label', 'Rank; Enter shows only what concerns it');
    strip.setAttribute('aria-valuemin', 0);
    strip.setAttribute('aria-valuemax', stripEnd - 1);
    strip.setAttribute('tabindex', '0');
    strip.setAttribute('aria-valuenow', 0);
    strip.setAttribute('aria-valuetext', tellRank(0));
    const title = makeShape('title', '');
    const rankAt = event => {
      const box = strip.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left) / box.width * columns);
      const row = Math.floor((event.clientY - box.top) / box.height * strip.viewBox.baseVal.height);
      const rank = row * columns + column;
      return column >= 0 && column < columns && row >= 0 && rank < stripEnd ? rank : null;
    };
    strip.addEventListener('pointermove', event => {
      const rank = rankAt(event);
      title.textContent = rank === null ? '' : tellRank(rank);
    });
    strip.addEventListener('click', event => {
      const rank = rankAt(event);
      if (rank === null)
        return;
      const [from, to] = event.shiftKey ? [Math.min(cursor, rank), Math.max(cursor, rank)] : [rank, rank];
      moveCursor(rank);
      choose(from === to ? `${rank}` : `${from}-${to}`);
    });
    strip.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ')
        choose(`${cursor}`);
      else if (event.key === 'Escape')
        choose('');
      else if (event.key in steps)
        moveCursor(cursor + steps[event.key]);
      else
        return;
      event.preventDefault();
    });
    strip.addEventListener('focus', () => { if (strip.matches(':focus-visible')) moveCursor(cursor); });
    for (const link of document.querySelectorAll('.legend a'))
      link.addEventListener('click', event => {
        event.preventDefault();
        choose(new URLSearchParams(link.hash.slice(1)).get('rank'));
      });
    document.querySelector('#chosen button').addEventListener('click', () => choose(''));
  }

  const names = ['rank', 'what', 'function', 'communicator', 'tag', 'text'];

  function readFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (location.hash !== '' && !names.some(name => wanted.has(name)))
      return false;
    for (const name of names)
      form.elements[name].value = wanted.get(name) ?? '';
    filter();
    return true;
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
    choose(ranks);
    form.scrollIntoView();
    form.elements.rank.focus({preventScroll: true});
  }

  function prepareGraph() {
    data.nodes.forEach((ranks, i) => {
      const node = document.getElementById(`node${i}`);
      if (node === null)
        return;
      parts.push([node, parseRanks(ranks) ?? []]);
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

  // The drawing is as wide as the page, as long as it can be read; from then on as its reader wants it.
  function prepareZoom() {
    const LEAST = 0.6, MOST = 8, CLICK = 4;
    const graph = document.querySelector('div.graph');
    if (graph === null)
      return;
    const drawing = graph.querySelector('svg'), natural = drawing.width.baseVal.value;
    const tools = document.querySelector('.zoom'), fold = document.getElementById('fold');
    let scale = 1, isFitted = true, from = null;
    const show = (wanted, least) => {
      scale = Math.max(least, Math.min(MOST, wanted));
      drawing.style.width = `${natural * scale}px`;
      drawing.style.height = 'auto';
    };
    const fit = () => {
      const style = getComputedStyle(graph);
      const room = graph.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      isFitted = true;
      show(Math.min(1, room / natural), LEAST);
    };
    // What is at this place of the window stays there.
    const zoom = (factor, x, y) => {
      const before = drawing.getBoundingClientRect(), old = scale;
      isFitted = false;
      show(scale * factor, 0.1);
      const after = drawing.getBoundingClientRect(), grown = scale / old;
      graph.scrollBy(after.left - x + (x - before.left) * grown, after.top - y + (y - before.top) * grown);
    };
    const zoomMiddle = factor => {
      const box = graph.getBoundingClientRect();
      zoom(factor, box.left + box.width / 2, box.top + box.height / 2);
    };
    for (const button of tools.querySelectorAll('button[value]'))
      button.addEventListener('click', () => { button.value === '' ? fit() : zoomMiddle(Number(button.value)); });
    fold.hidden = graph.querySelector('.node.consequence') === null;
    fold.addEventListener('click', () => fold.setAttribute('aria-pressed', graph.classList.toggle('folded')));
    graph.addEventListener('keydown', event => {
      if (event.key === '+' || event.key === '-')
        zoomMiddle(event.key === '+' ? 1.25 : 0.8);
      else if (event.key === '0')
        fit();
    });
    graph.addEventListener('wheel', event => {
      if (!event.ctrlKey)
        return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, event.clientX, event.clientY);
    }, {passive: false});
    graph.addEventListener('pointerdown', event => {
      if (event.pointerType === 'mouse' && event.button === 0)
        from = {x: event.clientX, y: event.clientY, left: graph.scrollLeft, top: graph.scrollTop};
    });
    graph.addEventListener('pointermove', event => {
      if (from === null || Math.hypot(event.clientX - from.x, event.clientY - from.y) < CLICK)
        return;
      graph.setPointerCapture(event.pointerId);
      graph.classList.add('dragged');
      graph.scrollTo(from.left - event.clientX + from.x, from.top - event.clientY + from.y);
    });
    const release = () => { from = null; graph.classList.remove('dragged'); };
    graph.addEventListener('pointerup', release);
    graph.addEventListener('pointercancel', release);
    window.addEventListener('resize', () => { if (isFitted) fit(); });
    tools.hidden = false;
    fit();
  }

  // Where the browser has no clipboard for pages of files, the text is selected and copied as a user would.
  async function copy(button, text) {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      button.after(area);
      area.select();
      button.textContent = document.execCommand('copy') ? 'Copied' : 'Not copied';
      area.remove();
      button.focus();
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  }

  const said = element => element.textContent.trim().replace(/\s+/g, ' ');

  // For a ticket: texts of the application are code, which no ticket system takes for anything else.
  function markdownOf(finding) {
    const code = text => {
      const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length)) + 1);
      return text.includes('`') ? `${fence} ${text} ${fence}` : `\`${text}\``;
    };
    const lines = [`### ${said(finding.querySelector('h3'))}`, '', code(said(finding.querySelector('.message')))];
    for (const remedy of finding.querySelectorAll('.remedy'))
      lines.push('', code(said(remedy)));
    const rows = [...finding.querySelectorAll('.evidence tbody tr')].map(row => [...row.cells].map(said));
    if (rows.length > 0)
      lines.push('', ...rows.map(cells => `- ${code(cells.filter(text => text !== '').join(', '))}`));
    for (const place of finding.querySelectorAll('p.place'))
      if (place.nextElementSibling?.matches('.scroll'))
        lines.push('', `${code(said(place))}:`, '', ...place.nextElementSibling.textContent.trimEnd().split('\n').map(line => `    ${line}`));
    return lines.join('\n');
  }

  function markdown() {
    const facts = [...document.querySelectorAll('.facts div')].map(fact => `${said(fact.querySelector('dt'))}: ${said(fact.querySelector('dd'))}`);
    return [`## mpilens: ${document.title.replace('mpilens: ', '')}`, '', ...facts.map(fact => `    ${fact}`), '',
      ...[...document.querySelectorAll('.finding')].map(markdownOf)].join('\n') + '\n';
  }

  function prepareCopies() {
    const whole = document.getElementById('markdown');
    for (const button of document.querySelectorAll('button.copy')) {
      const command = button.previousElementSibling.textContent;
      button.setAttribute('aria-label', `Copy ${command}`);
      button.hidden = false;
      button.addEventListener('click', () => copy(button, command));
    }
    whole.hidden = false;
    whole.addEventListener('click', () => copy(whole, markdown()));
  }

  // Paper shows what a click would.
  function unfoldForPrint() {
    const folded = document.querySelectorAll('.finding details:not(.meaning):not([open])');
    window.addEventListener('beforeprint', () => folded.forEach(details => { details.open = true; }));
    window.addEventListener('afterprint', () => folded.forEach(details => { details.open = false; }));
  }

  // As long as the page is written again.
  function prepareReload() {
    const next = document.getElementById('next');
    if (next === null)
      return;
    if (Date.now() / 1000 - data.as_of > 3 * data.again_s + 60)
      next.textContent = 'never: the job has ended, or nobody writes this page any more';
    else
      setTimeout(() => location.reload(), data.again_s * 1000);
  }

  makeHead();
  fillSelect('what', WHAT);
  fillSelect('function', FUNCTION);
  fillSelect('communicator', COMMUNICATOR);
  form.addEventListener('input', writeFragment);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(writeFragment));
  more.addEventListener('click', makeMore);
  window.addEventListener('hashchange', () => {
    if (readFragment())
      form.scrollIntoView();
  });
  new IntersectionObserver(entries => {
    if (entries.some(entry => entry.isIntersecting) && !more.hidden)
      makeMore();
  }, {rootMargin: '200px'}).observe(more);
  prepareGraph();
  prepareZoom();
  prepareCopies();
  unfoldForPrint();
  if (strip !== null)
    prepareStrip();
  prepareReload();
  form.hidden = false;
  table.hidden = false;
  if (!readFragment()) // it names a finding
    filter();
})();
