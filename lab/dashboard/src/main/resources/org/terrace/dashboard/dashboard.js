'use strict';
const root = document.documentElement;
const byId = id => document.getElementById(id);

// Light or dark, remembered for the other pages.
const toggle = byId('theme');
toggle.hidden = false;
toggle.addEventListener('click', () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try {
    localStorage.setItem('terrace-theme', root.dataset.theme);
  } catch {
    // It holds for this page alone then.
  }
});

// Markup of this server in the place of what an element holds, without a script in it.
function show(element, markup) {
  const parsed = new DOMParser().parseFromString(markup, 'text/html');
  element.replaceChildren(...parsed.body.childNodes);
}

async function fetched(address) {
  const answer = await fetch(address, {headers: {'X-Requested-With': 'fetch'}});
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
}

// Said while the server gives no answer: what is shown is as old as its last one.
const lost = document.createElement('p');
lost.id = 'lost';
lost.className = 'deck';
lost.setAttribute('role', 'status');
byId('main').prepend(lost);
let heard = new Date();
function hears() {
  heard = new Date();
  if (lost.textContent) lost.textContent = '';
}
function hearsNothing(why) {
  lost.textContent = why + ' What is shown is of ' + heard.toLocaleTimeString() + '.';
}

// The list of results: searched while it is typed, and looked at again while it is seen.
const rows = byId('rows');
if (rows) {
  const words = byId('q');
  const state = byId('state');
  let wanted = 0;
  let timer = 0;
  const ticked = () => [...rows.querySelectorAll('input[name=pick]:checked')].map(box => box.value);
  const limit = () => {
    const boxes = [...rows.querySelectorAll('input[name=pick]')];
    const full = boxes.filter(box => box.checked).length >= 2;
    for (const box of boxes) box.disabled = full && !box.checked;
    const button = byId('compare');
    if (button) button.disabled = !full;
  };
  const refresh = async searching => {
    const number = ++wanted;
    const query = new URLSearchParams({q: words.value});
    if (state.value) query.set('state', state.value);
    const first = new URLSearchParams(location.search).get('first');
    if (first && !searching) query.set('first', first);
    try {
      const markup = await (await fetched('/rows?' + query)).text();
      hears();
      if (number !== wanted) return;
      const kept = new Set(ticked());
      const focused = document.activeElement;
      const key = rows.contains(focused) ? focused.getAttribute('href') || focused.value : null;
      show(rows, markup);
      for (const box of rows.querySelectorAll('input[name=pick]')) box.checked = kept.has(box.value);
      limit();
      if (key) {
        const again = [...rows.querySelectorAll('a, input')].find(each => (each.getAttribute('href') || each.value) === key);
        if (again) again.focus();
      }
      if (searching) history.replaceState(null, '', '/?' + query);
    } catch (failure) {
      hearsNothing(failure.message === '401' ? 'Sign in again: load this page anew.' : 'The server gives no answer.');
    }
  };
  const search = () => {
    clearTimeout(timer);
    timer = setTimeout(() => refresh(true), 120);
  };
  words.addEventListener('input', search);
  state.addEventListener('change', search);
  rows.addEventListener('change', limit);
  limit();
  setInterval(() => {
    if (document.visibilityState === 'visible') refresh(false);
  }, 2000);
  document.addEventListener('keydown', event => {
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      words.focus();
    }
  });
}

// A command at work: the server draws, this page shows.
const live = byId('live');
if (live && live.dataset.events) {
  const events = new EventSource(live.dataset.events);
  events.addEventListener('now', event => {
    show(live, JSON.parse(event.data));
    hears();
    root.dataset.seen = String(1 + Number(root.dataset.seen || 0));
  });
  events.addEventListener('error', () => {
    hearsNothing(events.readyState === EventSource.CLOSED ? 'The server does not show this page any further: load it anew.' : 'The server gives no answer.');
  });
  events.addEventListener('end', event => {
    events.close();
    hears();
    const address = JSON.parse(event.data);
    const link = document.createElement('a');
    link.href = address;
    link.textContent = 'It has ended: see what came of it.';
    byId('live-end').replaceChildren(link);
    setTimeout(() => location.assign(address), 1200);
  });
}

// Prices: what follows of them is worked out by the server, while a slider moves.
const prices = byId('prices');
const plan = byId('plan');
if (prices && plan) {
  const told = byId('worked-out');
  // In a narrow window what follows of the prices comes first.
  if (matchMedia('(max-width: 900px)').matches) byId('prices-fold').open = false;
  prices.querySelector('.apply').hidden = true;
  let wanted = 0;
  let busy = false;
  let again = false;
  const work = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    const number = ++wanted;
    const query = new URLSearchParams(new FormData(prices));
    try {
      const answer = await fetched(plan.dataset.plan + '?' + query);
      const markup = await answer.text();
      const open = [...plan.querySelectorAll('details')].map(each => each.open);
      show(plan, markup);
      plan.querySelectorAll('details').forEach((each, i) => { each.open = Boolean(open[i]); });
      const took = /dur=([\d.]+)/.exec(answer.headers.get('Server-Timing') || '');
      told.textContent = took ? 'worked out in ' + Math.max(1, Math.round(Number(took[1]))) + ' ms' : '';
      history.replaceState(null, '', location.pathname + '?' + query + location.hash);
    } catch (failure) {
      told.textContent = ['400', '422'].includes(failure.message) ? 'That is no price.' : failure.message === '401' ? 'Sign in again: load this page anew.' : 'The server gives no answer.';
    }
    root.dataset.plans = String(number);
    busy = false;
    if (again) {
      again = false;
      work();
    }
  };
  prices.addEventListener('input', event => {
    const input = event.target;
    if (input.type === 'range') {
      byId(input.dataset.for).value = input.value;
    } else {
      const slider = prices.querySelector('input[data-for="' + CSS.escape(input.id) + '"]');
      if (slider) slider.value = input.value;
    }
    work();
  });
  prices.addEventListener('submit', event => {
    event.preventDefault();
    work();
  });
}
root.dataset.ready = String(Math.round(performance.now()));
