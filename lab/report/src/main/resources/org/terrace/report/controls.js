// The time line, third part: zoom, cursor, keys, theme, and the start.
function redraw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => {
    queued = false;
    charts.forEach((chart) => chart.draw());
  });
}

function show(from, to) {
  const span = Math.min(data.seconds, Math.max(TIGHTEST, to - from));
  const centre = (from + to) / 2;
  view.from = Math.max(0, Math.min(data.seconds - span, centre - span / 2));
  view.to = view.from + span;
  document.getElementById('where').textContent = span < data.seconds
    ? view.from.toFixed(2) + ' s to ' + view.to.toFixed(2) + ' s' : '';
  redraw();
}

function zoom(factor) {
  const centre = view.cursor !== null ? view.cursor : (view.from + view.to) / 2;
  const span = (view.to - view.from) * factor;
  show(centre - span / 2, centre + span / 2);
}

function point(seconds) {
  view.cursor = seconds;
  timeline.dataset.cursor = seconds === null ? '' : seconds.toFixed(4);
  redraw();
}

/** Moves the cursor by keyboard, keeps it in view, and says what is under it. */
function step(seconds) {
  const at = Math.min(data.seconds, Math.max(0, seconds));
  point(at);
  if (at < view.from || at > view.to) {
    const half = (view.to - view.from) / 2;
    show(at - half, at + half);
  }
  speak(at);
}

let speaking = 0;
function speak(at) {
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    const parts = [at.toFixed(2) + ' seconds'];
    for (const lane of data.lanes) {
      for (const track of lane.lines) {
        const value = valueAt(track, at);
        if (!Number.isNaN(value)) {
          parts.push([lane.server, lane.title, track.name].filter(Boolean).join(' ') + ' ' + formats[lane.format](value));
        }
      }
      if (lane.server && lane.title.startsWith('load') && (data.stalls[lane.server] || []).some(([a, b]) => a <= at && at <= b)) {
        parts.push(lane.server + ' is stalled');
      }
    }
    document.getElementById('spoken').textContent = parts.join('; ');
  }, 150);
}

const stalls = Object.values(data.stalls).flat().sort((a, b) => a[0] - b[0]);
function stall(forward) {
  const at = view.cursor === null ? (forward ? -1 : data.seconds + 1) : view.cursor;
  const next = forward ? stalls.find(([from]) => from > at + 1e-4) : stalls.findLast(([from]) => from < at - 1e-4);
  if (next) visit(next[0], next[1]);
}

function visit(from, to) {
  const margin = Math.max(1, 3 * (to - from));
  show(from - margin, to + margin);
  step(from);
}

const actions = {
  previous: () => { stall(false); remember(); },
  next: () => { stall(true); remember(); },
  in: () => { zoom(0.5); remember(); },
  out: () => { zoom(2); remember(); },
  all: () => { show(0, data.seconds); point(null); remember(); },
};

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const here = view.cursor === null ? view.from : view.cursor;
  const stride = Math.max(data.window, (view.to - view.from) / 400) * (event.shiftKey ? 10 : 1);
  const keys = {
    ArrowRight: () => step(view.cursor === null ? here : here + stride),
    ArrowLeft: () => step(here - stride),
    Home: () => step(view.from),
    End: () => step(view.to),
    Escape: actions.all,
    '+': actions.in, '=': actions.in, '-': actions.out,
    n: actions.next, N: actions.next, p: actions.previous, P: actions.previous,
  };
  const action = keys[event.key];
  if (action) {
    action();
    event.preventDefault();
  }
}

function theme() {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  readColours();
  redraw();
}

/** Copies what stands before a button; where the browser refuses, it is marked, to be copied by hand. */
async function copy(button) {
  const code = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'copied';
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = 'marked';
  }
  setTimeout(() => { button.textContent = 'copy'; }, 2000);
}

for (const server of Object.keys(data.events)) {
  data.events[server] = data.events[server].map(([from, to, kind]) => ({ from, to, ...data.kinds[kind] }));
}
for (const lane of data.lanes) {
  for (const track of lane.lines) {
    track.high = decode(track.high, lane.top);
    track.low = track.low && decode(track.low, lane.top);
  }
}
readColours();
charts.push(new Chart(document.querySelector('.axis'), data.faults.length > 1 ? 58 : data.faults.length > 0 ? 44 : 26, axisPainter));
document.querySelectorAll('[data-lane]').forEach((holder) => {
  const lane = data.lanes[Number(holder.dataset.lane)];
  charts.push(new Chart(holder, lane.height, lanePainter(lane)));
});
document.querySelectorAll('[data-events]').forEach((holder) => {
  charts.push(new Chart(holder, 18, eventPainter(holder.dataset.events)));
});
timeline.addEventListener('keydown', key);
document.querySelectorAll('[data-do]').forEach((button) => button.addEventListener('click', actions[button.dataset.do]));
// A link to what is in the address already changes nothing there, so it is followed by hand.
document.querySelectorAll('.jump').forEach((link) => link.addEventListener('click', () => {
  if (link.hash === location.hash) recall(link.hash);
}));
boxes.forEach((box) => box.addEventListener('change', () => {
  hide(boxes.filter((other) => !other.checked).map((other) => other.dataset.shows));
  remember();
}));
document.querySelectorAll('[data-only]').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', () => {
    const all = blocks.map((block) => block.dataset.server);
    hide(button.getAttribute('aria-pressed') === 'true' ? [] : all.filter((name) => name !== button.dataset.only));
    remember();
  });
});
document.querySelectorAll('.choice').forEach((choice) => { choice.hidden = false; });
document.getElementById('scale').addEventListener('change', (event) => { rescale(event.target.value); remember(); });
// What was chosen just before may have been put into the address by now: the event tells what was followed.
addEventListener('hashchange', (event) => recall((event.newURL.match(/#.*$/) || [''])[0]));
document.querySelector('.tools').hidden = false;
document.querySelectorAll('.copy').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', () => copy(button));
});
const toggle = document.getElementById('theme');
toggle.hidden = false;
toggle.addEventListener('click', theme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); redraw(); });
new ResizeObserver(redraw).observe(timeline);
charts.forEach((chart) => chart.draw());
recall(location.hash);
root.dataset.ready = String(Math.round(performance.now()));
