// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with the looks of the page of `mpilens why --html`, as a list of sentences: the value of this expression.
'use strict';
(() => {
  const CONTRAST = 4.5; // of WCAG 2, level AA
  const isPrinted = matchMedia('print').matches, isNarrow = !isPrinted && matchMedia('(max-width: 40rem)').matches;
  const NEEDED = (isNarrow ? '' : '#rows th, ') + 'h1, .job, h2, .finding h3, .message > *, .graph .node, .graph .node text, figcaption, #count, ' +
    '#rows tbody tr, .facts dd, svg.strip, .legend li, .sides li';
  const problems = [];
  const all = selector => [...document.querySelectorAll(selector)];
  const called = element => `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;

  // Where it is in what can be scrolled to; the page as a whole is only scrolled downwards.
  function isReachable(element, box) {
    const scroller = element.closest('.scroll, div.graph');
    if (scroller === null || isPrinted)
      return box.left >= -1 && box.right <= document.documentElement.clientWidth + 1;
    const frame = scroller.getBoundingClientRect();
    const left = box.left - frame.left + scroller.scrollLeft, top = box.top - frame.top + scroller.scrollTop;
    return left >= -1 && top >= -1 && left + box.width <= scroller.scrollWidth + 1 &&
      top + box.height <= scroller.scrollHeight + 1;
  }

  function checkPlaces() {
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
      problems.push(`the page is ${document.documentElement.scrollWidth} wide, the window less`);
    for (const table of all('.scroll > table')) {
      const scroller = table.parentElement;
      if (isNarrow && scroller.scrollWidth > scroller.clientWidth + 1)
        problems.push(`a table hides columns: ${called(table)}`);
    }
    for (const element of all(NEEDED)) {
      const box = element.getBoundingClientRect();
      if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true}) || box.width === 0 || box.height === 0)
        problems.push(`${called(element)} is not to be seen`);
      else if (!isReachable(element, box))
        problems.push(`${called(element)} is outside of the page`);
    }
  }

  const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;

  // Labels, and labels and the boxes of nodes.
  function checkGraph() {
    const groups = all('.graph .node, .graph .edge');
    const labels = groups.flatMap(group => [...group.querySelectorAll('text')]
      .map(text => ({group, text, box: text.getBoundingClientRect()})));
    labels.forEach((one, i) => labels.slice(i + 1).forEach(other => {
      if (overlap(one.box, other.box))
        problems.push(`${called(one.text)} and ${called(other.text)} overlap`);
    }));
    for (const node of all('.graph .node')) {
      const frame = node.querySelector('polygon').getBoundingClientRect();
      for (const {group, text, box} of labels)
        if (group !== node && overlap(frame, box))
          problems.push(`${called(text)} lies on another node`);
        else if (group === node && (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom))
          problems.push(`${called(text)} does not fit its node`);
    }
  }

  const parts = color => color.match(/[\d.]+/g).map(Number);

  // The function with a memory: a page has few colours, and many elements on the same ground.
  function remembering(compute) {
    const known = new Map();
    return key => {
      if (!known.has(key))
        known.set(key, compute(key));
      return known.get(key);
    };
  }

  const luminance = remembering(color => {
    const [red, green, blue] = parts(color).map(part => part / 255)
      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });

  const ground = remembering(element => {
    if (element === null)
      return 'rgb(255, 255, 255)';
    const color = getComputedStyle(element).backgroundColor;
    return parts(color)[3] !== 0 ? color : ground(element.parentElement);
  });

  function behind(element) {
    if (element.closest(".strip") !== null) // its letters lie on the colours of the legend
      return getComputedStyle(document.querySelector('.key')).backgroundColor;
    const node = element.closest('.node');
    return node !== null ? getComputedStyle(node.querySelector('polygon:not([fill="none"])')).fill : ground(element);
  }

  function checkContrast() {
    const hasText = element => [...element.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim() !== '');
    for (const element of all('body *')) {
      if (!hasText(element) || !element.checkVisibility() || element.getClientRects().length === 0)
        continue;
      const style = getComputedStyle(element);
      const colors = [element instanceof SVGElement ? style.fill : style.color, behind(element)].map(luminance);
      const contrast = (Math.max(...colors) + 0.05) / (Math.min(...colors) + 0.05);
      if (contrast < CONTRAST)
        problems.push(`${called(element)} has a contrast of ${contrast.toFixed(2)}`);
    }
  }

  // What those hear who do not see.
  function checkNames() {
    for (const control of all('input, select'))
      if (control.labels.length === 0)
        problems.push(`the control ${control.name} has no label`);
    for (const node of all('.graph .node'))
      if (!/^ranks? /.test(node.getAttribute('aria-label') ?? '') && !/^\d+ ranks /.test(node.getAttribute('aria-label') ?? ''))
        problems.push(`${called(node)} has the name ${node.getAttribute('aria-label')}`);
    for (const scroller of all('.scroll, div.graph'))
      if (scroller.tabIndex !== 0 || !(scroller.hasAttribute('aria-label') || scroller.hasAttribute('aria-labelledby')))
        problems.push(`a part with the text ${called(scroller)} cannot be scrolled by keys, or has no name`);
    if (all('main, header').length !== 2 || all('main > section[aria-labelledby]').length !== 5 + all('.stacks').length)
      problems.push('landmarks are missing');
    for (const button of all('button'))
      if ((button.getAttribute('aria-label') ?? button.textContent).trim() === '')
        problems.push('a button has no name');
    const strip = document.getElementById('strip');
    if (strip.getAttribute('role') !== 'slider' || strip.tabIndex !== 0 || !/^rank 0: /.test(strip.getAttribute('aria-valuetext')))
      problems.push('the strip of ranks is no control');
  }

  checkPlaces();
  checkGraph();
  checkContrast();
  checkNames();
  return problems;
})()
