'use strict';
// The page of a study is static; only its theme can be changed.
const root = document.documentElement;
const toggle = document.getElementById('theme');
function theme() {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}
toggle.hidden = false;
toggle.addEventListener('click', theme);
root.dataset.ready = String(Math.round(performance.now()));
