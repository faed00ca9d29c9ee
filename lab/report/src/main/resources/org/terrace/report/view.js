// The time line, second part: what is shown, kept in the address so that it can be shared:
// #t=FROM-TO&server=NAME&hide=NAME&hide=NAME&scale=linear.
const LONGEST_WAIT = 250;
const STRETCH = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/;
let writing = 0;

const blocks = [...document.querySelectorAll('.server[data-server]')].filter((block) => block.dataset.server);
const boxes = [...document.querySelectorAll('[data-shows]')];
const hidden = () => blocks.filter((block) => block.hidden).map((block) => block.dataset.server);

/** Shows the servers that are not among the given ones. */
function hide(names) {
  for (const block of blocks) block.hidden = names.includes(block.dataset.server);
  for (const box of boxes) box.checked = !names.includes(box.dataset.shows);
  const shown = blocks.filter((block) => !block.hidden);
  for (const button of document.querySelectorAll('[data-only]')) {
    const alone = shown.length === 1 && shown[0].dataset.server === button.dataset.only;
    button.setAttribute('aria-pressed', String(alone));
    button.textContent = alone ? 'show all' : 'only this';
  }
  redraw();
}

function rescale(scale) {
  view.scale = ['linear', 'log'].includes(scale) ? scale : 'fitting';
  document.getElementById('scale').value = view.scale;
  document.querySelectorAll('[data-lane]').forEach((holder) => {
    const mark = holder.querySelector('.scale');
    if (mark) mark.textContent = isLogarithmic(data.lanes[Number(holder.dataset.lane)]) ? ', log scale' : '';
  });
  redraw();
}

/** The fragment of what is shown; empty when that is everything. */
function address() {
  const parts = new URLSearchParams();
  if (view.to - view.from < data.seconds) parts.set('t', view.from.toFixed(3) + '-' + view.to.toFixed(3));
  hidden().forEach((name) => parts.append('hide', name));
  if (view.scale !== 'fitting') parts.set('scale', view.scale);
  return parts.toString();
}

/** Puts what is shown into the address; not at once, since browsers refuse too many changes a second. */
function remember() {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, '', '#' + address()), LONGEST_WAIT);
}

/** Shows what a fragment says; one that names a section is left to the browser. */
function recall(fragment) {
  const parts = new URLSearchParams(fragment.slice(1));
  if (!['t', 'server', 'hide', 'scale'].some((name) => parts.has(name))) return;
  const names = parts.getAll('hide');
  const meant = blocks.find((block) => block.dataset.server === parts.get('server'));
  if (parts.has('hide') || !meant) hide(names);
  if (meant && meant.hidden) hide(hidden().filter((name) => name !== parts.get('server')));
  if (parts.has('scale') || !meant) rescale(parts.get('scale'));
  const [, from, to] = (parts.get('t') || '').match(STRETCH) || [];
  if (Number(to) > Number(from)) {
    show(Number(from), Number(to));
  } else {
    show(0, data.seconds);
  }
  if (meant) spotlight(meant);
}

/** Brings a server's lanes into view and marks them for a moment. */
function spotlight(block) {
  document.querySelectorAll('.spot').forEach((other) => other.classList.remove('spot'));
  block.classList.add('spot');
  block.scrollIntoView({ block: 'start' });
  timeline.focus({ preventScroll: true });
}
